package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.SettingsComparison;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code experiment placement}: replicas on caches, across them, pinned and not. */
public final class PlacementExperiment {
  /** Placements that --quick compares. */
  private static final Set<String> QUICK = Set.of("unpinned", "threads", "interleaved");

  public static final Experiment EXPERIMENT =
      SettingsComparison.experiment(
              "placement",
              "One replica per last-level cache against none pinned and against interleaved.",
              PlacementExperiment::variants)
          .question("what it gains to place replicas on caches and threads on CPUs")
          .shows(
              "One replica for each last-level cache against none pinned, pinned by group and by"
                  + " thread, two replicas, and interleaved over caches on purpose.")
          .source(
              "SOSOA, Fig. 5 and 7: best with as many replicas as last-level caches, up to about"
                  + " 30 % above one; interleaved ones lost all of it.")
          .needs(8, 2)
          .reading("--quick leaves out pinning by group and two replicas.")
          .extent(run -> Extent.each(variants(run).size()));

  private PlacementExperiment() {}

  private static Map<String, List<String>> variants(ExperimentRun run) {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    variants.put("unpinned", List.of("--replicas", "auto", "--pinning", "none"));
    variants.put("group", List.of("--replicas", "auto", "--pinning", "group"));
    variants.put("threads", List.of("--replicas", "auto", "--pinning", "threads"));
    variants.put("two", List.of("--replicas", "2"));
    variants.put("interleaved", List.of("--replicas", "interleaved"));
    if (run.isQuick()) {
      variants.keySet().retainAll(QUICK);
    }
    return variants;
  }
}
