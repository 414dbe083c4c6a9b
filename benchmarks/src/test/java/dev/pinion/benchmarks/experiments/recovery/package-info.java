/** Tests of {@code benchmarks.experiments.recovery}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.recovery;
