/** Engines under load that are profiled meanwhile: what that costs, and what it shows by stage. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.profiling;
