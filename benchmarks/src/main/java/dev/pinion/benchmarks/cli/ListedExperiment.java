package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.CpuPlacement;
import dev.pinion.benchmarks.experiment.Description;
import dev.pinion.bootstrap.topology.CpuSet;
import java.time.Duration;

/** What {@code experiment list} shows. */
interface ListedExperiment {
  /** What it shows, on what hardware, and how to read it. */
  Description description();

  /** The time that it takes with its options, about. */
  Duration time();

  /** Which CPUs are measured and which carry the load. */
  CpuPlacement placement(CpuSet allowed);
}
