package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadTimes;
import dev.pinion.bootstrap.topology.CpuSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options that every measurement of whole processes has. */
public final class TestbedOptions {
  private static final int MAX_SECONDS = 86_400;

  @ArgGroup private @Nullable EffortOption effort;

  /** Either of the two options. */
  static final class EffortOption {
    @Option(names = "--quick", description = "A round of 1 s: to see that it works.")
    private boolean quick;

    @Option(names = "--full", description = "10 rounds of 2 s: to be believed.")
    private boolean full;
  }

  @Option(
      names = "--seconds",
      description = "Time that is measured, for each variant and round (2; --quick 1).")
  private @Nullable Integer seconds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      description =
          "Time at two clients before the first round, for each variant (5; --quick 1). Unless it is"
              + " to be quick, full load follows until it gets no faster.")
  private @Nullable Integer warmUpSeconds;

  @Option(
      names = "--repeat",
      paramLabel = "ROUNDS",
      description = "How often each variant is measured (5; --quick 1, --full 10).")
  private @Nullable Integer rounds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write report.html, results.json and results.csv into this folder.")
  private @Nullable Path out;

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

  /** Chosen extent of the experiment. */
  public Effort effort() {
    if (effort == null) {
      return Effort.USUAL;
    }
    if (effort.full) {
      return Effort.FULL;
    }
    return effort.quick ? Effort.QUICK : Effort.USUAL;
  }

  /** Measurements of each variant. */
  public int rounds() {
    int chosen = rounds == null ? effort().rounds() : rounds;
    requireRange("--repeat", chosen, 1, Comparison.MAX_ROUNDS);
    return chosen;
  }

  public Duration duration() {
    int chosen = seconds == null ? effort().seconds() : seconds;
    requireRange("--seconds", chosen, 1, MAX_SECONDS);
    return Duration.ofSeconds(chosen);
  }

  public Duration warmUp() {
    int chosen = warmUpSeconds == null ? effort().warmUpSeconds() : warmUpSeconds;
    requireRange("--warmup", chosen, 0, MAX_SECONDS);
    return Duration.ofSeconds(chosen);
  }

  /**
   * Refuses options that an experiment does not use.
   *
   * @param unused some of {@code --seconds} and {@code --warmup}
   */
  void refuse(Set<String> unused) {
    refuse("--seconds", seconds, unused);
    refuse("--warmup", warmUpSeconds, unused);
  }

  private static void refuse(String option, @Nullable Integer value, Set<String> unused) {
    if (value != null && unused.contains(option)) {
      throw new IllegalArgumentException(
          "expected no "
              + option
              + ", as this experiment does a fixed amount of work, found "
              + value);
    }
  }

  /** Where the report goes. */
  ReportOutput output() {
    return new ReportOutput(out, json);
  }

  /** Checks the measured time and the warm-up. */
  void requireTimes() {
    warmUp();
    duration();
  }

  public LoadSettings load(int clients, CpuPlacement placement) {
    requireRange("--clients", clients, 1, 100_000);
    LoadTimes times = new LoadTimes(warmUp(), effort().settling(), effort().ramp(), duration());
    return new LoadSettings(clients, times, placement.loadThreads(), Duration.ZERO, null);
  }

  public CpuPlacement placementOfReplicas(CpuSet allowed) {
    return CpuPlacement.ofReplicas(engineCpus, loadCpus, allowed);
  }

  public CpuPlacement placementOfPinnedLoops(CpuSet allowed) {
    return CpuPlacement.ofPinnedLoops(engineCpus, loadCpus, allowed);
  }

  public CpuPlacement placement(CpuSet allowed) {
    return CpuPlacement.of(engineCpus, loadCpus, allowed);
  }

  public static void requireRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "expected " + option + " from " + least + " to " + most + ", found " + value);
    }
  }
}
