/** Tests of {@code benchmarks.experiments.lean}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.lean;
