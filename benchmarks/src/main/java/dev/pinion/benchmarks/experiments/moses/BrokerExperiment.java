package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import java.util.List;

/** Parts of experiments with an engine that has a broker, beside one that has none. */
final class BrokerExperiment {
  static final String UNBROKERED = "unbrokered";
  static final String BROKERED = "brokered";

  /** Least number of CPUs at which the broker has separate ones. */
  private static final int ENOUGH = 4;

  private BrokerExperiment() {}

  /** Half of the CPUs for engine and broker, or the lowest one where there are few. */
  static CpuPlacement placement(TestbedOptions options, CpuSet allowed) {
    return allowed.size() < ENOUGH
        ? options.placement(allowed)
        : options.placementOfReplicas(allowed);
  }

  /**
   * Both engines under a load, the one without a broker first; their workload is the trip planner,
   * which has a sequence, a fork, a choice and a loop.
   */
  static List<BrokerVariant> pair(Testbed testbed, LoadSettings load)
      throws MeasurementException, InterruptedException {
    Workload workload = Workload.TRIP_PLANNER;
    return List.of(
        BrokerEngine.plain(testbed, UNBROKERED, workload).under(UNBROKERED, load),
        BrokerEngine.brokered(testbed, BROKERED, 1, workload).under(BROKERED, load));
  }

  /** A comparison of both engines under another load. */
  static Comparison comparison(String title, List<BrokerVariant> pair, LoadSettings load) {
    return new Comparison(
        title, pair.stream().map(each -> each.under(each.name(), load)).toList(), UNBROKERED);
  }
}
