package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.CpuPlacement;
import dev.pinion.benchmarks.experiment.Description;
import dev.pinion.benchmarks.experiment.Description.Extent;
import dev.pinion.benchmarks.experiment.Hardware;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code experiment placement}: replicas on caches, across them, pinned and not. */
@Command(
    name = "placement",
    description = "One replica per last-level cache against none pinned and against interleaved.",
    mixinStandardHelpOptions = true)
public final class PlacementExperiment extends SettingsExperiment {
  @Override
  String experiment() {
    return "placement";
  }

  @Override
  String question() {
    return "what it gains to place replicas on caches and threads on CPUs";
  }

  @Override
  public Description description() {
    return new Description(
        "One replica for each last-level cache against none pinned, pinned by group and by thread, two"
            + " replicas, and interleaved over caches on purpose.",
        "SOSOA, Fig. 5 and 7: best with as many replicas as last-level caches, up to about 30 % above one;"
            + " interleaved ones lost all of it.",
        new Hardware(8, 2),
        "");
  }

  @Override
  Extent extent() {
    return Extent.of(5, 5);
  }

  @Override
  Map<String, List<String>> variants(CpuPlacement placement) {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    variants.put("unpinned", List.of("--replicas", "auto", "--pinning", "none", "--waiting", "park"));
    variants.put("group", List.of("--replicas", "auto", "--pinning", "group", "--waiting", "park"));
    variants.put("threads", List.of("--replicas", "auto", "--pinning", "threads", "--waiting", "park"));
    variants.put("two", List.of("--replicas", "2", "--waiting", "park"));
    variants.put("interleaved", List.of("--replicas", "interleaved", "--waiting", "park"));
    return variants;
  }
}
