/**
 * Placements of replicas on machines that are not available, as queueing networks. Simulated, never
 * measured: placements differ in queueing, and by the given factor on steps that move between
 * caches.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.queueing;
