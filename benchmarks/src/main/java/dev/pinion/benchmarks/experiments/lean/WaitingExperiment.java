package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.SettingsComparison;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code experiment waiting}: the behaviour of idle event loops. */
public final class WaitingExperiment {
  public static final Experiment EXPERIMENT =
      SettingsComparison.experiment(
              "waiting",
              "Event loops that sleep against ones that look again.",
              WaitingExperiment::variants)
          .question("what event loops gain by looking again instead of sleeping")
          .shows(
              "Event loops that sleep until they are woken, that look again once, and that spin.")
          .source(
              "Lean business tier, section 5.3: spinning on queues instead of event notification.")
          .needs(4, 1)
          .reading("Where CPUs are shared, a loop that spins takes its time from the others.")
          .extent(run -> Extent.each(3))
          .placement(TestbedOptions::placementOfPinnedLoops);

  private WaitingExperiment() {}

  private static Map<String, List<String>> variants(ExperimentRun run) {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    for (String waiting : List.of("park", "yield", "spin")) {
      variants.put(waiting, PinnedLoops.options(run, "threads", waiting));
    }
    return variants;
  }
}
