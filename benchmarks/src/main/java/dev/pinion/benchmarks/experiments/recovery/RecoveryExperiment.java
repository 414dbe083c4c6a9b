package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment recovery}: the cost of a restart with many instances under way. */
@Command(
    name = "recovery",
    description = {
      "Kills the replica of an engine with many waiting instances, --repeat times; and that of one"
          + " with as many, before which others had come and gone.",
      "ready: from the kill until /readyz says so. heap: bytes for each instance, after a"
          + " collection and without what an empty engine uses."
    },
    mixinStandardHelpOptions = true)
public final class RecoveryExperiment extends TestbedCommand {
  /** With ten times the history, recovery may take this multiple of the time. */
  private static final double MOST = 1.1;

  private static final String SHORT = "short history";
  private static final String LONG = "long history";
  private static final int MAX_WAITING = 10_000_000;
  private static final int MAX_TIMES = 1_000;

  /** Instances that a slow machine starts per second; for the estimate of time only. */
  private static final long STARTS_PER_SECOND = 4_000;

  /** Instances that a slow machine recovers per second; for the estimate of time only. */
  private static final long RECOVERED_PER_SECOND = 20_000;

  /** Kill, start without instances, and a collection; for the estimate of time only. */
  private static final Duration RESTART = Duration.ofSeconds(5);

  @Option(
      names = "--waiting",
      paramLabel = "N",
      description = "Instances that wait (100000; --quick 2000).")
  private @Nullable Integer chosenWaiting;

  @Option(
      names = "--times",
      paramLabel = "N",
      description =
          "Length of the long history, in instances for each that waits (10; --quick 4); 1 for no"
              + " long one.")
  private @Nullable Integer chosenTimes;

  @Option(
      names = "--clients",
      defaultValue = "256",
      description = "Clients that start instances (${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "2g",
      description = "Heap of each engine (${DEFAULT-VALUE}).")
  private String heap = "";

  private int times() {
    return options().chosen(chosenTimes, 10, 4);
  }

  private int waiting() {
    return options().chosen(chosenWaiting, 100_000, 2_000);
  }

  @Override
  public String experiment() {
    return "recovery";
  }

  @Override
  public String question() {
    return "how soon an engine with many instances under way is ready again, and whether that"
        + " depends on what came before them";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "How soon an engine with many waiting instances is ready after a kill, and what each of them costs.",
        "",
        HardwareRequirement.ANY,
        "ready: from the kill until /readyz says so. heap: bytes for each instance. cpu: processor time of"
            + " the new process until then, for each waiting instance. errors: answers other than 200 and 503.");
  }

  @Override
  public Extent extent() {
    int engines = times() == 1 ? 1 : 2;
    return new Extent(engines, engines, RESTART);
  }

  /** Instances are started once; each round has a restart and no load. */
  @Override
  public Duration time() {
    long starts = (times() == 1 ? 1L : 1L + times()) * waiting();
    return extent()
        .time(Duration.ZERO, Duration.ofSeconds(waiting() / RECOVERED_PER_SECOND), rounds())
        .plusSeconds(starts / STARTS_PER_SECOND);
  }

  @Override
  public void check(CpuPlacement placement) {
    TestbedOptions.requireRange("--waiting", waiting(), 1, MAX_WAITING);
    TestbedOptions.requireRange("--times", times(), 1, MAX_TIMES);
    options().load(clients, placement);
  }

  @Override
  public Set<String> unused() {
    return Set.of("--seconds", "--warmup");
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed) {
    LoadSettings load = options().load(clients, testbed.placement());
    RecoveryVariant few = new RecoveryVariant(SHORT, testbed, heap, waiting(), 0, load);
    long before = (times() - 1L) * waiting();
    RecoveryVariant many = new RecoveryVariant(LONG, testbed, heap, waiting(), before, load);
    String title =
        waiting()
            + " waiting instances, "
            + (RecoveryVariant.isCold() ? "cold" : "warm (not the superuser)")
            + " page cache";
    return List.of(new Comparison(title, times() == 1 ? List.of(few) : List.of(few, many), SHORT));
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    if (times() == 1) {
      return List.of();
    }
    return TargetFinding.atMost(
            "time to be ready, history " + times() + " times as long",
            comparisonResults.ratios(LONG, SHORT, RecoveryVariant.READY),
            MOST)
        .toList();
  }
}
