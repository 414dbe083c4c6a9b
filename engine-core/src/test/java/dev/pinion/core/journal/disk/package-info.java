/** Tests of {@code core.journal.disk}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.journal.disk;
