/**
 * Topology of the machine: packages, NUMA nodes, caches, cores and CPUs, those that the process may
 * use, and the CPUs that share a last-level cache.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.topology;
