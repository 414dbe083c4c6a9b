/** Differences of two documents: as changes with JSON pointers, and line by line. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.difference;
