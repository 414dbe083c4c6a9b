package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiments.Effort;
import dev.pinion.benchmarks.experiments.SettingsExperiment;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code experiment dispatch}: dispatch of requests to several replicas. */
@Command(
    name = "dispatch",
    description = "Ways to share one port among two replicas, beside one replica that owns it.",
    mixinStandardHelpOptions = true)
public final class DispatchExperiment extends SettingsExperiment {
  @Override
  public String experiment() {
    return "dispatch";
  }

  @Override
  public String question() {
    return "what each way to bring requests to several replicas costs";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "What each way to bring requests to several replicas costs, beside one replica that owns the port.",
        "SOSOA: the first replica forwards requests round-robin.",
        new HardwareRequirement(8, 2),
        "--quick leaves out least-loaded.");
  }

  @Override
  public Extent extent() {
    int ways = options().chosen(null, 5, 4);
    return Extent.of(ways, ways);
  }

  @Override
  public Map<String, List<String>> variants(CpuPlacement placement) {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    for (String dispatch : List.of("round-robin", "handover", "reuseport", "least-loaded")) {
      variants.put(dispatch, List.of("--replicas", "2", "--dispatch", dispatch));
    }
    if (options().effort() == Effort.QUICK) {
      variants.remove("least-loaded");
    }
    variants.put("one-replica", List.of("--replicas", "1"));
    return variants;
  }
}
