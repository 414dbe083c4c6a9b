package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import java.util.List;

/** An experiment with an engine that has a broker, beside one that has none. */
abstract class BrokerExperiment extends TestbedCommand {
  static final String UNBROKERED = "unbrokered";
  static final String BROKERED = "brokered";

  /** Least number of CPUs at which the broker has separate ones. */
  private static final int ENOUGH = 4;

  /** Half of the CPUs for engine and broker, or the lowest one where there are few. */
  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return allowed.size() < ENOUGH
        ? options().placement(allowed)
        : options().placementOfReplicas(allowed);
  }

  /** The trip planner, which has a sequence, a fork, a choice and a loop. */
  static Workload workload() {
    return Workload.TRIP_PLANNER;
  }

  /** Both engines, the one without a broker first. */
  static List<BrokerEngine> engines(Testbed testbed)
      throws MeasurementException, InterruptedException {
    return List.of(
        BrokerEngine.plain(testbed, UNBROKERED, workload()),
        BrokerEngine.brokered(testbed, BROKERED, 1, workload()));
  }

  /** Capacity of the first engine under its closed load. */
  static double capacity(BrokerVariant variant) throws MeasurementException, InterruptedException {
    return OfferedRate.capacity(variant.load());
  }
}
