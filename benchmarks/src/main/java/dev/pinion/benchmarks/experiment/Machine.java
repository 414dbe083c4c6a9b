package dev.pinion.benchmarks.experiment;

/**
 * What of a machine decides what can be seen on it.
 *
 * @param cpus CPUs that this process may use
 * @param caches last-level caches among them
 * @param shared whether engine, load and stub use the same CPUs
 */
public record Machine(int cpus, int caches, boolean shared) {}
