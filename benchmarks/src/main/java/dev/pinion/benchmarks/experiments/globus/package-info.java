/** Experiments of the Globus profiling paper: first calls, cost of profiling. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.globus;
