package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.bootstrap.topology.CpuSet;
import java.time.Duration;

/** An experiment in {@code experiment list}. */
public interface ListedExperiment {
  /** Purpose, necessary hardware, and how to read it. */
  ExperimentDescription description();

  /** Approximate duration with its options. */
  Duration time();

  /** CPUs of the measured processes and of the load. */
  CpuPlacement placement(CpuSet allowed);
}
