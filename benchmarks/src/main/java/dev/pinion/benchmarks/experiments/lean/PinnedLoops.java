package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.experiments.ExperimentRun;
import java.util.ArrayList;
import java.util.List;

/** Settings of one replica whose event loops are to have CPUs of their own. */
final class PinnedLoops {
  /** Least number of CPUs at which all event loops except one have a separate CPU anyway. */
  private static final int ENOUGH = 4;

  private PinnedLoops() {}

  /** With few CPUs one event loop, so that it has one for itself and may spin. */
  static List<String> options(ExperimentRun run, String pinning, String waiting) {
    List<String> few = run.engineCpus() < ENOUGH ? List.of("--layout", "fused:1") : List.of();
    List<String> options = new ArrayList<>(List.of("--replicas", "1"));
    options.addAll(List.of("--pinning", pinning, "--waiting", waiting));
    options.addAll(few);
    return options;
  }
}
