/** Experiments of the SOSOA paper: layouts, threads, replicas, placement, dispatch. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.sosoa;
