package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** {@code experiment recovery}: the cost of a restart with many instances under way. */
public final class RecoveryExperiment {
  /** With ten times the history, recovery may take this multiple of the time. */
  private static final double MOST = 1.1;

  private static final String SHORT = "short history";
  private static final String LONG = "long history";

  /** Instances that a slow machine starts per second; for the estimate of time only. */
  private static final long STARTS_PER_SECOND = 4_000;

  /** Instances that a slow machine recovers per second; for the estimate of time only. */
  private static final long RECOVERED_PER_SECOND = 20_000;

  /** Kill, start without instances, and a collection; for the estimate of time only. */
  private static final Duration RESTART = Duration.ofSeconds(5);

  private static final ExperimentOption<Integer> WAITING =
      ExperimentOption.of("--waiting", 100_000)
          .quick(2_000)
          .from(1, 10_000_000)
          .label("N")
          .help("Instances that wait");

  private static final ExperimentOption<Integer> TIMES =
      ExperimentOption.of("--times", 10)
          .quick(4)
          .from(1, 1_000)
          .label("N")
          .says(
              "Length of the long history, in instances for each that waits (10; --quick 4); 1 for"
                  + " no long one.");

  private static final ExperimentOption<Integer> CLIENTS =
      CommonOptions.clients(256, "Clients that start instances");

  private static final ExperimentOption<String> HEAP =
      ExperimentOption.of("--heap", "2g").label("SIZE").help("Heap of each engine");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "recovery",
              "Kills the replica of an engine with many waiting instances, --repeat times; and"
                  + " that of one with as many, before which others had come and gone.",
              "ready: from the kill until /readyz says so. heap: bytes for each instance, after"
                  + " a collection and without what an empty engine uses.")
          .question(
              "how soon an engine with many instances under way is ready again, and whether"
                  + " that depends on what came before them")
          .shows(
              "How soon an engine with many waiting instances is ready after a kill, and what"
                  + " each of them costs.")
          .reading(
              "ready: from the kill until /readyz says so. heap: bytes for each instance. cpu:"
                  + " processor time of the new process until then, for each waiting instance."
                  + " errors: answers other than 200 and 503.")
          .options(WAITING, TIMES, CLIENTS, HEAP)
          .unused("--seconds", "--warmup")
          .time(RecoveryExperiment::time)
          .compares(RecoveryExperiment::comparisons)
          .findings(RecoveryExperiment::findings);

  private RecoveryExperiment() {}

  /** Instances are started once; each round has a restart and no load. */
  private static Duration time(ExperimentRun run) {
    int times = run.get(TIMES);
    int waiting = run.get(WAITING);
    int engines = times == 1 ? 1 : 2;
    long starts = (times == 1 ? 1L : 1L + times) * waiting;
    return new Extent(engines, engines, RESTART)
        .time(Duration.ZERO, Duration.ofSeconds(waiting / RECOVERED_PER_SECOND), run.rounds())
        .plusSeconds(starts / STARTS_PER_SECOND);
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed) {
    int times = run.get(TIMES);
    int waiting = run.get(WAITING);
    LoadSettings load = run.load(run.get(CLIENTS));
    String heap = run.get(HEAP);
    RecoveryVariant few = new RecoveryVariant(SHORT, testbed, heap, waiting, 0, load);
    long before = (times - 1L) * waiting;
    RecoveryVariant many = new RecoveryVariant(LONG, testbed, heap, waiting, before, load);
    String title =
        waiting
            + " waiting instances, "
            + (RecoveryVariant.isCold() ? "cold" : "warm (not the superuser)")
            + " page cache";
    return List.of(new Comparison(title, times == 1 ? List.of(few) : List.of(few, many), SHORT));
  }

  private static Stream<Finding> findings(ExperimentRun run, ComparisonResults one) {
    return run.get(TIMES) == 1
        ? Stream.of()
        : TargetFinding.atMost(
            "time to be ready, history " + run.get(TIMES) + " times as long",
            one.ratios(LONG, SHORT, RecoveryVariant.READY),
            MOST);
  }
}
