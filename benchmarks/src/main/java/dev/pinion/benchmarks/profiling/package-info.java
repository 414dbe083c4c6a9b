/** Engines that are profiled under load: the cost of profiling, and its results by stage. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.profiling;
