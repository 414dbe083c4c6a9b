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
import java.util.Set;
import picocli.CommandLine.Command;

/** {@code experiment placement}: replicas on caches, across them, pinned and not. */
@Command(
    name = "placement",
    description = "One replica per last-level cache against none pinned and against interleaved.",
    mixinStandardHelpOptions = true)
public final class PlacementExperiment extends SettingsExperiment {
  /** Placements that --quick compares. */
  private static final Set<String> QUICK = Set.of("unpinned", "threads", "interleaved");

  @Override
  public String experiment() {
    return "placement";
  }

  @Override
  public String question() {
    return "what it gains to place replicas on caches and threads on CPUs";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "One replica for each last-level cache against none pinned, pinned by group and by thread, two"
            + " replicas, and interleaved over caches on purpose.",
        "SOSOA, Fig. 5 and 7: best with as many replicas as last-level caches, up to about 30 % above one;"
            + " interleaved ones lost all of it.",
        new HardwareRequirement(8, 2),
        "--quick leaves out pinning by group and two replicas.");
  }

  @Override
  public Extent extent() {
    int plans = options().chosen(null, 5, QUICK.size());
    return Extent.of(plans, plans);
  }

  @Override
  public Map<String, List<String>> variants(CpuPlacement placement) {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    variants.put("unpinned", List.of("--replicas", "auto", "--pinning", "none"));
    variants.put("group", List.of("--replicas", "auto", "--pinning", "group"));
    variants.put("threads", List.of("--replicas", "auto", "--pinning", "threads"));
    variants.put("two", List.of("--replicas", "2"));
    variants.put("interleaved", List.of("--replicas", "interleaved"));
    if (options().effort() == Effort.QUICK) {
      variants.keySet().retainAll(QUICK);
    }
    return variants;
  }
}
