/**
 * The load generator: clients of the closed model with think time, arrivals of the open one,
 * verified responses, latencies.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.load;
