/** Experiments of the lean business tier paper: journal, publishers, tail, waiting. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.lean;
