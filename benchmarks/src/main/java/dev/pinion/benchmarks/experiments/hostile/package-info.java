/** Hostile requests beside good ones. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.hostile;
