/**
 * Placements of replicas on machines that are not at hand, as queueing networks. Simulated, never
 * measured: what differs between placements is queueing, and what a given factor makes of steps
 * that move between caches.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.queueing;
