/** Tests of {@code core.limits}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.limits;
