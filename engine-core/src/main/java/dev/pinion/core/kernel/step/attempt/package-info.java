/** The attempts of a {@code try}, and of the calls inside it. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step.attempt;
