/** Tests of {@code core.kernel.replay}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.replay;
