/** Tests of the journal's storage half, on a disk that fails on demand. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.journal.store;
