/** Tests of {@code core.partition}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.partition;
