/** The journal port and its in-memory form. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.journal;
