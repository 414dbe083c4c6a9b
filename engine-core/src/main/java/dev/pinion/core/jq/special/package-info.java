/** Special functions to the last digit: gamma, error and Bessel functions. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq.special;
