package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.CpuPlacement;
import dev.pinion.benchmarks.bench.LoadSettings;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.bootstrap.topology.CpuSet;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that every measurement of whole processes has. */
final class HarnessOptions {
  private static final int MAX_SECONDS = 86_400;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "Time that is measured, for each variant and round (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "Time at two clients before the first round, for each variant (${DEFAULT-VALUE}).")
  private int warmUpSeconds;

  @Option(
      names = "--repeat",
      paramLabel = "ROUNDS",
      defaultValue = "5",
      description = "How often each variant is measured (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--engine-cpus",
      paramLabel = "LIST",
      description = "CPUs of what is measured, such as 0 (the lowest).")
  private @Nullable String engineCpus;

  @Option(
      names = "--load-cpus",
      paramLabel = "LIST",
      description = "CPUs of load generator and stub, such as 1 (all others).")
  private @Nullable String loadCpus;

  @Option(names = "--json", description = "Results as JSON on standard output.")
  private boolean json;

  int rounds() {
    requireRange("--repeat", rounds, 1, Comparison.MAX_ROUNDS);
    return rounds;
  }

  boolean json() {
    return json;
  }

  LoadSettings load(int clients, CpuPlacement placement) {
    requireRange("--clients", clients, 1, 100_000);
    requireRange("--seconds", seconds, 1, MAX_SECONDS);
    requireRange("--warmup", warmUpSeconds, 0, MAX_SECONDS);
    return new LoadSettings(
        clients,
        Duration.ofSeconds(warmUpSeconds),
        Duration.ofSeconds(seconds),
        placement.loadThreads(),
        Duration.ZERO);
  }

  CpuPlacement placementOfReplicas(CpuSet allowed) {
    return CpuPlacement.ofReplicas(engineCpus, loadCpus, allowed);
  }

  CpuPlacement placement(CpuSet allowed) {
    return CpuPlacement.of(engineCpus, loadCpus, allowed);
  }

  static void requireRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "expected " + option + " from " + least + " to " + most + ", found " + value);
    }
  }
}
