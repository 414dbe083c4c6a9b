package dev.pinion.benchmarks.experiment;

/**
 * Facts of a machine that decide which effects can show on it.
 *
 * @param cpus CPUs that this process may use
 * @param caches last-level caches among them
 * @param shared whether engine, load and stub use the same CPUs
 */
public record MachineSize(int cpus, int caches, boolean shared) {}
