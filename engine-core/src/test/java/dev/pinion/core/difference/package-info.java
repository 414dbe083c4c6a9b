/** Tests of {@code core.difference}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.difference;
