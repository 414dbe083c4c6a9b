/** The closed-model load generator: clients, think time, verified answers, latencies. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.load;
