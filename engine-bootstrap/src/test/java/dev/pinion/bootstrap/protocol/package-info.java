/** Tests of {@code bootstrap.protocol}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.protocol;
