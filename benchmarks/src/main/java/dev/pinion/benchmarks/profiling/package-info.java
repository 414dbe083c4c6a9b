/** What a profile costs: an engine under load that is profiled meanwhile, beside itself alone. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.profiling;
