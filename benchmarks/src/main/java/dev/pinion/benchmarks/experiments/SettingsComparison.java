package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Comparisons of engines that differ in their settings only, under the same load. */
public final class SettingsComparison {
  private static final ExperimentOption<Integer> CLIENTS = CommonOptions.clients(64, "Clients");

  private SettingsComparison() {}

  /**
   * An experiment that compares engines under one workload, on the CPUs of replicas.
   *
   * @param variants options of {@code serve} by the name of the variant; the first one is the
   *     baseline
   */
  public static Experiment experiment(
      String name, String help, Function<ExperimentRun, Map<String, List<String>>> variants) {
    return Experiment.named(name, help)
        .options(CommonOptions.WORKLOAD, CLIENTS)
        .placement(TestbedOptions::placementOfReplicas)
        .compares((run, testbed) -> List.of(comparison(run, testbed, variants.apply(run))));
  }

  /** The title says so where engine and load share their CPUs. */
  private static Comparison comparison(
      ExperimentRun run, Testbed testbed, Map<String, List<String>> settings)
      throws MeasurementException, InterruptedException {
    Workload workload = CommonOptions.workload(run);
    LoadSettings load = run.load(run.get(CLIENTS));
    List<LoadVariant> variants = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : settings.entrySet()) {
      variants.add(testbed.engine(each.getKey(), each.getValue(), workload, load));
    }
    CpuPlacement cpus = run.placement();
    String title =
        workload.id()
            + ", "
            + run.get(CLIENTS)
            + " clients, engine on CPUs "
            + cpus.engine()
            + (cpus.shared() ? ", load and stub on " + cpus.load() : "");
    return new Comparison(title, variants, variants.getFirst().name());
  }
}
