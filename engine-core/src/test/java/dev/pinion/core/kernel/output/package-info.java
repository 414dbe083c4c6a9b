/** Tests of {@code core.kernel.output}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.output;
