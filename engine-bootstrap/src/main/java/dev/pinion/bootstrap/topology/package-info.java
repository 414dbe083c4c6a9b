/**
 * What the machine is: packages, NUMA nodes, caches, cores and CPUs, what of them the process may
 * use, and which CPUs share a last-level cache.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.topology;
