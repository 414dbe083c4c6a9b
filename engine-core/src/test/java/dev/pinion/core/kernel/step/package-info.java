/** Tests of {@code core.kernel.step}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step;
