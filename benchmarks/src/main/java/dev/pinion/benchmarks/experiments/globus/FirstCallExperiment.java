package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.globus.FirstRequestVariant.Start;
import dev.pinion.benchmarks.testbed.Testbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code experiment first-call}: the cost of an engine's first calls. */
public final class FirstCallExperiment {
  /** Property by which bin/pinion names the cache of engines, and of this process. */
  private static final String CACHE_PROPERTY = "pinion.replica.cache";

  /** Start of an engine and all calls of a measurement; for the estimate of time only. */
  private static final Duration ENGINE = Duration.ofSeconds(5);

  /**
   * The same with a history and a broker, whose tables are awaited; for the estimate of time only.
   */
  private static final Duration ACCOMPANIED = Duration.ofSeconds(14);

  /** Time of a history to start and to catch up; for the estimate of time only. */
  private static final Duration HISTORY = Duration.ofSeconds(5);

  private static final int LEAST_CALLS = 30;

  private static final ExperimentOption<Integer> CALLS =
      ExperimentOption.of("--calls", 40)
          .quick(LEAST_CALLS)
          .from(LEAST_CALLS, 10_000)
          .label("<chosenCalls>")
          .help("Calls of each operation; the last 20 are the steady state");

  private static final ExperimentOption<Boolean> REQUESTS_ONLY =
      ExperimentOption.toggle("--requests-only")
          .says(
              "Only the tables of the first request of an engine that finds a definition in its"
                  + " data, and of those that follow at 100/s.");

  private static final ExperimentOption<Integer> SETTLE =
      ExperimentOption.of("--settle", 10)
          .quick(1)
          .from(0, 3_600)
          .label("SECONDS")
          .help(
              "Tables of first requests: how long one request after the other is made before the"
                  + " rate, so that the engine has compiled what it needs");

  private static final ExperimentOption<Integer> WARM_UP =
      ExperimentOption.of("--warm-up-ms", 10_000)
          .quick(2_000)
          .from(1, 60_000)
          .label("MILLIS")
          .help(
              "Most time of the engines' warm-up, where they have one: start.warmUpMillis of"
                  + " serve");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "first-call",
              "Times of the first, second, third and tenth call of every REST operation and"
                  + " every kind of task after a start, of first starts of definitions and first"
                  + " calls of services; and of the first request of engines that find a definition"
                  + " in their data.",
              "Each round has engines of its own, with and without the caches that the build"
                  + " has trained, the warm-up before readiness, connections opened ahead of calls,"
                  + " and definitions compiled ahead of their first use.")
          .question(
              "what first calls cost, and what a trained cache, a warm-up, connections opened"
                  + " ahead and definitions compiled ahead save of it")
          .shows(
              "Black-box times of the first calls of everything, against the steady state:"
                  + " initialisation that waits for its first use shows as a first call that takes"
                  + " longer.")
          .source(
              "Globus profiling: the first set-up of a resource took more than 30 s, 380 ms"
                  + " when it was stable; the first notification 1.1 s, 170 ms when stable.")
          .reading(
              "Operations come in the order of the tables, so what one has initialised is warm"
                  + " for the next. steady is the median of the last 20 calls of one client that"
                  + " waits for each answer. The tables of first requests are of engines that find"
                  + " a definition in their data: of a process of one call that is kept in memory,"
                  + " and of one with expressions, decisions and a loop, which is kept in the"
                  + " journal and a history beside it. Of each there is the first request after"
                  + " readiness, on a connection made before, against the 99th percentile of one"
                  + " client at 100/s, once it has made one request after the other for --settle"
                  + " seconds, so that the engine has compiled what it needs. Times at 100/s count"
                  + " from when each was due, so they contain what it was sent late by; the ratio"
                  + " \"since sent\" is to times without that. ready has the time that a warm-up"
                  + " takes. In these tables engines with \"connections\" connect to the services"
                  + " of their definitions before they are ready. All compile the definitions in"
                  + " their data before they are ready, but for \"compiled at first use\". Where"
                  + " there is a history, its process starts with the engine, so without a warm-up"
                  + " it is still starting when the first request comes; it may catch up before the"
                  + " rate. The last table, but for --requests-only, is of engines with a history"
                  + " and a broker, which have told that they are there before anything is asked:"
                  + " cpu has that of their processes too, and what waits for a history or a table"
                  + " waits before a call, not in it. What each measure saves of the first request,"
                  + " and what it costs before readiness, is below the tables. --quick measures"
                  + " cache and warm-up together, connections alone, compilation at first use, and"
                  + " nothing, once, the second process with the first and the last of these, and"
                  + " the last table with nothing only; otherwise also each alone and all together,"
                  + " of the second process both of these with and without connections.")
          .options(CALLS, REQUESTS_ONLY, SETTLE, WARM_UP)
          .unused("--warmup")
          .time(FirstCallExperiment::time)
          .compares(FirstCallExperiment::comparisons)
          .overall((run, all) -> tables(run, all).findings().stream())
          .figures((run, all) -> tables(run, all).figures())
          .caveats(run -> withoutCache(System.getProperty(CACHE_PROPERTY, "")));

  private FirstCallExperiment() {}

  private static FirstCallStarts starts(ExperimentRun run) {
    return new FirstCallStarts(run.isQuick(), Duration.ofMillis(run.get(WARM_UP)));
  }

  private static FirstCallTables tables(ExperimentRun run, List<ComparisonResults> all) {
    return new FirstCallTables(all, run.get(REQUESTS_ONLY));
  }

  /**
   * Warm-ups cost one more engine once, and their time for each start; loads apply to requests
   * only.
   */
  private static Duration time(ExperimentRun run) {
    FirstCallStarts starts = starts(run);
    List<Start> all = new ArrayList<>(starts.allRequests());
    int loaded = all.size();
    int alone = 0;
    int accompanied = 0;
    if (!run.get(REQUESTS_ONLY)) {
      alone = starts.alone().size();
      accompanied = starts.accompanied().size();
      all.addAll(starts.alone().values());
      all.addAll(starts.accompanied().values());
    }
    long warmed = all.stream().filter(start -> !start.warmUp().isZero()).count();
    long rounds = run.rounds();
    return new Extent(0, alone + loaded, ENGINE)
        .time(Duration.ZERO, Duration.ZERO, run.rounds())
        .plus(ENGINE.multipliedBy(loaded))
        .plus(HISTORY.multipliedBy(starts.historied() * rounds))
        .plus(ACCOMPANIED.multipliedBy(accompanied * rounds))
        .plus(starts.warmUp().multipliedBy(warmed * rounds))
        .plus(settling(run).plus(run.duration()).multipliedBy(loaded * rounds));
  }

  private static Duration settling(ExperimentRun run) {
    return Duration.ofSeconds(run.get(SETTLE));
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed) {
    FirstCallStarts starts = starts(run);
    List<Comparison> comparisons = new ArrayList<>();
    for (FirstRequestProcess process : FirstRequestProcess.values()) {
      comparisons.add(requests(run, testbed, process, starts.requests(process)));
    }
    if (!run.get(REQUESTS_ONLY)) {
      comparisons.addFirst(
          calls(run, "fresh engines", testbed, starts.alone(), OperationSet.ENGINE));
      comparisons.addLast(
          calls(
              run,
              "fresh engines with history and broker",
              testbed,
              starts.accompanied(),
              OperationSet.HISTORY_AND_BROKER));
    }
    return comparisons;
  }

  private static Comparison requests(
      ExperimentRun run, Testbed testbed, FirstRequestProcess process, Map<String, Start> starts) {
    List<FirstRequestVariant> variants = new ArrayList<>();
    starts.forEach(
        (name, start) ->
            variants.add(
                new FirstRequestVariant(
                    name, testbed, process, start, settling(run), run.duration())));
    return new Comparison(
        "first request after readiness, then 100/s: " + process.title(),
        variants,
        FirstCallStarts.PLAIN);
  }

  private static Comparison calls(
      ExperimentRun run,
      String title,
      Testbed testbed,
      Map<String, Start> starts,
      OperationSet operationSet) {
    int calls = run.get(CALLS);
    List<FirstCallVariant> variants = new ArrayList<>();
    starts.forEach(
        (name, start) ->
            variants.add(new FirstCallVariant(name, testbed, start, operationSet, calls)));
    return new Comparison(
        title + ", " + calls + " calls of each operation", variants, FirstCallStarts.PLAIN);
  }

  /**
   * Caveats when variants with the cache had none.
   *
   * @param cache file of the cache, empty when bin/pinion was asked to do without it
   */
  static List<String> withoutCache(String cache) {
    return !cache.isEmpty() && Files.isReadable(Path.of(cache))
        ? List.of()
        : List.of(
            "Expected the cache that bin/pinion trains after a build, found none"
                + (cache.isEmpty() ? "" : " at " + cache)
                + ": the variants with it are the same as those without. PINION_AOT=off, or a"
                + " training that failed (engine-bootstrap/target/training.log), is why.");
  }
}
