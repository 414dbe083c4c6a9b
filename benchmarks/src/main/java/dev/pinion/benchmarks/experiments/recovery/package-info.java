/** Killed processes: restart and recovery. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.recovery;
