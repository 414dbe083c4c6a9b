/** Tests of {@code core.jq.special}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq.special;
