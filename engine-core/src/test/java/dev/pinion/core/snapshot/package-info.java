/** Tests of {@code core.snapshot}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.snapshot;
