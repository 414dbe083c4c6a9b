package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * Compares engines that differ in their settings only, under the same load. The title says so where
 * engine and load share their CPUs.
 */
public abstract class SettingsExperiment extends TestbedCommand {
  @Option(
      names = "--workload",
      defaultValue = "sequential",
      description = "The workload (${DEFAULT-VALUE}).")
  private String workload = "";

  @Option(names = "--clients", defaultValue = "64", description = "Clients (${DEFAULT-VALUE}).")
  private int clients;

  /** Options of {@code serve} by the name of the variant; the first one is the baseline. */
  public abstract Map<String, List<String>> variants(CpuPlacement placement);

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    Workload.named(workload);
    options().load(clients, placement);
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    CpuPlacement placement = testbed.placement();
    LoadSettings load = options().load(clients, placement);
    Map<String, List<String>> settings = variants(placement);
    List<LoadVariant> variants = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : settings.entrySet()) {
      variants.add(testbed.engine(each.getKey(), each.getValue(), Workload.named(workload), load));
    }
    String title =
        workload
            + ", "
            + clients
            + " clients, engine on CPUs "
            + placement.engine()
            + (placement.shared() ? ", load and stub on " + placement.load() : "");
    return List.of(new Comparison(title, variants, variants.getFirst().name()));
  }
}
