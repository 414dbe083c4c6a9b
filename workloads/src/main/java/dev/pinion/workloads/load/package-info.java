/**
 * The load generator: clients of the closed model with think time ({@code ThinkPacing}), arrivals
 * of the open one, whose latency counts from when a request was due ({@code ArrivalPacing}),
 * verified responses, latencies.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.load;
