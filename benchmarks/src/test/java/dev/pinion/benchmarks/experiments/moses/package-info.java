/** Tests of {@code benchmarks.experiments.moses}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.moses;
