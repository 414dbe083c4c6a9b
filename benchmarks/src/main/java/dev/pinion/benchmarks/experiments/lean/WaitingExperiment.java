package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiments.SettingsExperiment;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.bootstrap.topology.CpuSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code experiment waiting}: the behaviour of idle event loops. */
@Command(
    name = "waiting",
    description = "Event loops that sleep against ones that look again.",
    mixinStandardHelpOptions = true)
public final class WaitingExperiment extends SettingsExperiment {
  /** Least number of CPUs at which all event loops except one have a separate CPU anyway. */
  private static final int ENOUGH = 4;

  @Override
  public String experiment() {
    return "waiting";
  }

  @Override
  public String question() {
    return "what event loops gain by looking again instead of sleeping";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Event loops that sleep until they are woken, that look again once, and that spin.",
        "Lean business tier, section 5.3: spinning on queues instead of event notification.",
        new HardwareRequirement(4, 1),
        "Where CPUs are shared, a loop that spins takes its time from the others.");
  }

  @Override
  public Extent extent() {
    return Extent.of(3, 3);
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfPinnedLoops(allowed);
  }

  /** With few CPUs one event loop, so that it has one for itself and may spin. */
  @Override
  public Map<String, List<String>> variants(CpuPlacement placement) {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    List<String> loops =
        placement.engine().size() < ENOUGH ? List.of("--layout", "fused:1") : List.of();
    for (String waiting : List.of("park", "yield", "spin")) {
      List<String> options = new ArrayList<>(List.of("--replicas", "1"));
      options.addAll(List.of("--pinning", "threads", "--waiting", waiting));
      options.addAll(loops);
      variants.put(waiting, options);
    }
    return variants;
  }
}
