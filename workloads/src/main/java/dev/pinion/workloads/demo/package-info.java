/**
 * The demonstration: engine and stub as processes, every workload run, every call accounted for.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.demo;
