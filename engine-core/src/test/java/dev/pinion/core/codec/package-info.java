/** Tests of {@code core.codec}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.codec;
