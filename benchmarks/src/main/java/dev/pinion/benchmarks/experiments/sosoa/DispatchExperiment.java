package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.SettingsComparison;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code experiment dispatch}: dispatch of requests to several replicas. */
public final class DispatchExperiment {
  public static final Experiment EXPERIMENT =
      SettingsComparison.experiment(
              "dispatch",
              "Ways to share one port among two replicas, beside one replica that owns it.",
              DispatchExperiment::variants)
          .question("what each way to bring requests to several replicas costs")
          .shows(
              "What each way to bring requests to several replicas costs, beside one replica that"
                  + " owns the port.")
          .source("SOSOA: the first replica forwards requests round-robin.")
          .needs(8, 2)
          .reading("--quick leaves out least-loaded.")
          .extent(run -> Extent.each(variants(run).size()));

  private DispatchExperiment() {}

  private static Map<String, List<String>> variants(ExperimentRun run) {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    for (String dispatch : List.of("round-robin", "handover", "reuseport", "least-loaded")) {
      variants.put(dispatch, List.of("--replicas", "2", "--dispatch", dispatch));
    }
    if (run.isQuick()) {
      variants.remove("least-loaded");
    }
    variants.put("one-replica", List.of("--replicas", "1"));
    return variants;
  }
}
