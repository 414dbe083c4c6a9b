/** Tests of {@code bootstrap.placement}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.placement;
