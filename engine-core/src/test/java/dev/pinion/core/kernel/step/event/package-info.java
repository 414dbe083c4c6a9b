/** Tests of {@code core.kernel.step.event}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step.event;
