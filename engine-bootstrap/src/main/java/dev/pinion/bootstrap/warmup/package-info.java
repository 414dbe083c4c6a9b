/** Warm-up of a replica before it serves. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.warmup;
