/** Tests of {@code benchmarks.experiments.hostile}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.hostile;
