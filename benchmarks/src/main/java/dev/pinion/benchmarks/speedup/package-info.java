/**
 * Laws of speed-up and their fits: Amdahl, Gustafson, universal scalability. They describe
 * throughput under equal load; percentiles at a fixed rate contain queueing, which none of them
 * covers.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.speedup;
