/** Experiments of the MOSES paper: the broker. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.moses;
