/** Tests of {@code bootstrap.warmup}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.warmup;
