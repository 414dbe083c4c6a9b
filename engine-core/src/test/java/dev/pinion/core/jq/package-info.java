/** Tests of {@code core.jq}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq;
