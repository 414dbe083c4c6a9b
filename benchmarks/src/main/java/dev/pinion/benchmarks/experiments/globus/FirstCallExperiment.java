package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.DotPlot;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.Effort;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.experiments.globus.FirstRequestVariant.Start;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.Testbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment first-call}: the cost of an engine's first calls. */
@Command(
    name = "first-call",
    description = {
      "Times of the first, second, third and tenth call of every REST operation and every kind of"
          + " task after a start, of first starts of definitions and first calls of services; and of"
          + " the first request of engines that find a definition in their data.",
      "Each round has engines of its own, with and without the caches that the build has trained,"
          + " the warm-up before readiness, connections opened ahead of calls, and definitions"
          + " compiled ahead of their first use."
    },
    mixinStandardHelpOptions = true)
public final class FirstCallExperiment extends TestbedCommand {
  private static final String BOTH = "cache and warm-up";
  private static final String TRAINED = "cache";
  private static final String WARMED = "warm-up";
  private static final String PLAIN = "neither";
  private static final String CONNECTED = "connections";
  private static final String ALL = "all three";
  private static final String LATER = "compiled at first use";

  /** Property by which bin/pinion names the cache of engines, and of this process. */
  private static final String CACHE_PROPERTY = "pinion.replica.cache";

  /**
   * Variants to which the target applies, and the target: the first request against the steady p99.
   */
  private static final Set<String> WARMED_ENGINES = Set.of(BOTH, WARMED, ALL);

  /** A table of first requests for each subject, in this order. */
  private static final List<FirstRequestProcess> SUBJECTS = List.of(FirstRequestProcess.values());

  private static final double MOST = 3;
  private static final int LEAST_CALLS = 30;
  private static final int MAX_SETTLING = 3_600;
  private static final int MAX_CALLS = 10_000;

  /** Start of an engine and all calls of a measurement; for the estimate of time only. */
  private static final Duration ENGINE = Duration.ofSeconds(5);

  /**
   * The same with a history and a broker, whose tables are awaited; for the estimate of time only.
   */
  private static final Duration ACCOMPANIED = Duration.ofSeconds(14);

  /** Time of a history to start and to catch up; for the estimate of time only. */
  private static final Duration HISTORY = Duration.ofSeconds(5);

  @Option(
      names = "--calls",
      description = "Calls of each operation; the last 20 are the steady state (40; --quick 30).")
  private @Nullable Integer chosenCalls;

  @Option(
      names = "--requests-only",
      description =
          "Only the tables of the first request of an engine that finds a definition in its data,"
              + " and of those that follow at 100/s.")
  private boolean requestsOnly;

  @Option(
      names = "--settle",
      paramLabel = "SECONDS",
      description =
          "Tables of first requests: how long one request after the other is made before the rate, so that the"
              + " engine has compiled what it needs (10; --quick 1).")
  private @Nullable Integer chosenSettling;

  @Option(
      names = "--warm-up-ms",
      paramLabel = "MILLIS",
      description =
          "Most time of the engines' warm-up, where they have one: start.warmUpMillis of serve"
              + " (10000; --quick 2000).")
  private @Nullable Integer chosenWarmUp;

  @Override
  public String experiment() {
    return "first-call";
  }

  @Override
  public String question() {
    return "what first calls cost, and what a trained cache, a warm-up, connections opened ahead"
        + " and definitions compiled ahead save of it";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Black-box times of the first calls of everything, against the steady state: initialisation"
            + " that waits for its first use shows as a first call that takes longer.",
        "Globus profiling: the first set-up of a resource took more than 30 s, 380 ms when it was"
            + " stable; the first notification 1.1 s, 170 ms when stable.",
        HardwareRequirement.ANY,
        "Operations come in the order of the tables, so what one has initialised is warm for the next."
            + " steady is the median of the last 20 calls of one client that waits for each answer. The"
            + " tables of first requests are of engines that find a definition in their data: of"
            + " a process of one call that is kept in memory, and of one with expressions,"
            + " decisions and a loop, which is kept in the journal and a history beside it. Of each"
            + " there is the first request"
            + " after readiness, on a connection made before, against the 99th percentile of one client at 100/s, once it has made"
            + " one request after the other for --settle seconds, so that the engine has compiled"
            + " what it needs. Times at 100/s count from when each was due, so they contain what it"
            + " was sent late by; the ratio \"since sent\" is to times without that. ready has the"
            + " time that a warm-up takes. In these tables engines with \"connections\""
            + " connect to the services of their definitions before they are ready. All compile the"
            + " definitions in their data before they are ready, but for \"compiled at first use\"."
            + " Where there is a history, its process starts with the engine, so without a warm-up it"
            + " is still starting when the first request comes; it may catch up before the rate."
            + " The last table, but for --requests-only, is of engines with a history and a broker, which have told that they"
            + " are there before anything is asked: cpu has that of their processes too, and"
            + " what waits for a history or a table waits before a call, not in it."
            + " What each measure saves of the first request, and what it costs before readiness, is"
            + " below the tables. --quick measures cache and warm-up together, connections alone,"
            + " compilation at first use, and nothing, once, the second process with the first and"
            + " the last of these, and the last table with nothing only; otherwise also each alone and"
            + " all together, of the second process both of these with and without connections.");
  }

  @Override
  public Extent extent() {
    int everything = requestsOnly ? 0 : starts().size();
    return new Extent(0, everything + allRequestStarts().size(), ENGINE);
  }

  /**
   * Warm-ups cost one more engine once, and their time for each start; loads apply to requests
   * only.
   */
  @Override
  public Duration time() {
    int rounds = rounds();
    int loaded = allRequestStarts().size();
    int accompanied = requestsOnly ? 0 : accompaniedStarts().size();
    Duration each = settling().plus(options().duration());
    Duration loads = each.multipliedBy((long) loaded * rounds);
    return extent()
        .time(Duration.ZERO, Duration.ZERO, rounds)
        .plus(ENGINE.multipliedBy(loaded))
        .plus(HISTORY.multipliedBy(historied() * rounds))
        .plus(ACCOMPANIED.multipliedBy((long) accompanied * rounds))
        .plus(warmUp().multipliedBy(warmedStarts() * rounds))
        .plus(loads);
  }

  @Override
  public Set<String> unused() {
    return Set.of("--warmup");
  }

  private long historied() {
    return SUBJECTS.stream()
        .filter(FirstRequestProcess::history)
        .mapToLong(firstRequestProcess -> requestStarts(firstRequestProcess).size())
        .sum();
  }

  private long warmedStarts() {
    List<Start> all = new ArrayList<>(allRequestStarts());
    if (!requestsOnly) {
      all.addAll(starts().values());
      all.addAll(accompaniedStarts().values());
    }
    return all.stream().filter(start -> !start.warmUp().isZero()).count();
  }

  private Duration settling() {
    return Duration.ofSeconds(options().chosen(chosenSettling, 10, 1));
  }

  private Duration warmUp() {
    return Duration.ofMillis(options().chosen(chosenWarmUp, 10_000, 2_000));
  }

  private int calls() {
    return options().chosen(chosenCalls, 40, LEAST_CALLS);
  }

  /** Starts of engines, by the name of the variant. */
  private Map<String, Start> starts() {
    Duration warmUp = warmUp();
    Map<String, Start> starts = new LinkedHashMap<>();
    starts.put(BOTH, new Start(true, warmUp, false, true));
    if (options().effort() != Effort.QUICK) {
      starts.put(TRAINED, new Start(true, Duration.ZERO, false, true));
      starts.put(WARMED, new Start(false, warmUp, false, true));
    }
    starts.put(PLAIN, new Start(false, Duration.ZERO, false, true));
    return starts;
  }

  /**
   * Starts of engines with a history and a broker: the first table shows the replicas before that.
   */
  private Map<String, Start> accompaniedStarts() {
    Map<String, Start> starts = starts();
    Set<String> asked = options().effort() == Effort.QUICK ? Set.of(PLAIN) : Set.of(BOTH, PLAIN);
    starts.keySet().retainAll(asked);
    return starts;
  }

  /** Starts of engines whose first request is timed: they know services to connect to. */
  private Map<String, Start> requestStarts(FirstRequestProcess firstRequestProcess) {
    Map<String, Start> starts = starts();
    starts.put(LATER, new Start(false, Duration.ZERO, false, false));
    starts.put(CONNECTED, new Start(false, Duration.ZERO, true, true));
    if (options().effort() != Effort.QUICK) {
      starts.put(ALL, new Start(true, warmUp(), true, true));
    }
    if (firstRequestProcess != FirstRequestProcess.CALL) {
      starts.keySet().retainAll(Set.of(BOTH, PLAIN, ALL)); // the first subject shows the savings
    }
    return starts;
  }

  private List<Start> allRequestStarts() {
    List<Start> all = new ArrayList<>();
    for (FirstRequestProcess firstRequestProcess : SUBJECTS) {
      all.addAll(requestStarts(firstRequestProcess).values());
    }
    return all;
  }

  @Override
  public void check(CpuPlacement placement) {
    TestbedOptions.requireRange("--calls", calls(), LEAST_CALLS, MAX_CALLS);
    TestbedOptions.requireRange("--settle", (int) settling().toSeconds(), 0, MAX_SETTLING);
    TestbedOptions.requireRange("--warm-up-ms", (int) warmUp().toMillis(), 1, 60_000);
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed) {
    List<Comparison> comparisons = new ArrayList<>();
    for (FirstRequestProcess firstRequestProcess : SUBJECTS) {
      comparisons.add(requests(testbed, firstRequestProcess));
    }
    if (!requestsOnly) {
      comparisons.addFirst(calls("fresh engines", testbed, starts(), OperationSet.ENGINE));
      comparisons.addLast(
          calls(
              "fresh engines with history and broker",
              testbed,
              accompaniedStarts(),
              OperationSet.HISTORY_AND_BROKER));
    }
    return comparisons;
  }

  private Comparison requests(Testbed testbed, FirstRequestProcess firstRequestProcess) {
    List<FirstRequestVariant> variants = new ArrayList<>();
    requestStarts(firstRequestProcess)
        .forEach(
            (name, start) ->
                variants.add(
                    new FirstRequestVariant(
                        name,
                        testbed,
                        firstRequestProcess,
                        start,
                        settling(),
                        options().duration())));
    return new Comparison(
        "first request after readiness, then 100/s: " + firstRequestProcess.title(),
        variants,
        PLAIN);
  }

  private Comparison calls(
      String title, Testbed testbed, Map<String, Start> starts, OperationSet operationSet) {
    int calls = calls();
    List<FirstCallVariant> variants = new ArrayList<>();
    starts.forEach(
        (name, start) ->
            variants.add(new FirstCallVariant(name, testbed, start, operationSet, calls)));
    return new Comparison(title + ", " + calls + " calls of each operation", variants, PLAIN);
  }

  @Override
  public List<String> caveats() {
    return withoutCache(System.getProperty(CACHE_PROPERTY, ""));
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

  /** The table of first requests of a subject; the only one where there are no others. */
  private ComparisonResults requests(
      List<ComparisonResults> results, FirstRequestProcess firstRequestProcess) {
    return results.get(SUBJECTS.indexOf(firstRequestProcess) + (requestsOnly ? 0 : 1));
  }

  @Override
  public List<Finding> overall(List<ComparisonResults> results) {
    List<Finding> findings = new ArrayList<>();
    if (!requestsOnly) {
      firstToSteady(results.getFirst(), OperationSet.ENGINE, findings);
      firstToSteady(results.getLast(), OperationSet.HISTORY_AND_BROKER, findings);
    }
    for (FirstRequestProcess firstRequestProcess : SUBJECTS) {
      ComparisonResults requests = requests(results, firstRequestProcess);
      String name = firstRequestProcess.title();
      toSteady(requests, name, findings);
      if (firstRequestProcess == FirstRequestProcess.CALL) {
        findings.add(saving(requests, name, "definitions compiled ahead", PLAIN, LATER));
      }
      for (String measure : List.of(TRAINED, WARMED, BOTH, CONNECTED, ALL)) {
        if (requests.samples().containsKey(measure)) {
          findings.add(saving(requests, name, measure, measure, PLAIN));
        }
      }
    }
    return findings;
  }

  private static void toSteady(ComparisonResults requests, String subject, List<Finding> findings) {
    for (String variant : requests.samples().keySet()) {
      String name = subject + ": first request to steady p99, " + variant;
      if (WARMED_ENGINES.contains(variant)) {
        TargetFinding.atMost(name, ratios(requests, variant, FirstRequestVariant.RATIO), MOST)
            .forEach(findings::add);
        TargetFinding.atMost(
                name + ", since sent",
                ratios(requests, variant, FirstRequestVariant.SENT_RATIO),
                MOST)
            .forEach(findings::add);
      } else {
        List<Double> ratios = ratios(requests, variant, FirstRequestVariant.RATIO);
        findings.add(new Finding(name, SampleSummary.of(ratios), "not warmed"));
      }
    }
  }

  private static List<Double> ratios(ComparisonResults first, String variant, Metric ratio) {
    return first.samples().getOrDefault(variant, List.of()).stream()
        .map(sample -> sample.value(ratio))
        .toList();
  }

  /** Saving of a measure in the first request, and its cost before readiness. */
  private static Finding saving(
      ComparisonResults first, String subject, String measure, String with, String without) {
    return new Finding(
        subject + ": first request, with to without " + measure,
        SampleSummary.of(first.ratios(with, without, FirstRequestVariant.FIRST)),
        String.format(
            Locale.ROOT,
            "with it the first request takes %+.2f ms, and readiness %+.0f ms",
            change(first, with, without, FirstRequestVariant.FIRST),
            change(first, with, without, FirstRequestVariant.READY)));
  }

  /** Median over rounds of the difference of one variant to another one. */
  private static double change(
      ComparisonResults comparisonResults, String variant, String other, Metric metric) {
    List<Sample> some = comparisonResults.samples().getOrDefault(variant, List.of());
    List<Sample> others = comparisonResults.samples().getOrDefault(other, List.of());
    List<Double> changes = new ArrayList<>();
    for (int round = 0; round < some.size(); round++) {
      changes.add(some.get(round).value(metric) - others.get(round).value(metric));
    }
    return SampleSummary.of(changes).median();
  }

  private static void firstToSteady(
      ComparisonResults comparisonResults, OperationSet operationSet, List<Finding> findings) {
    for (String variant : comparisonResults.samples().keySet()) {
      for (String operation : operationSet.names()) {
        String name = "first to steady, " + variant + ", " + operation;
        findings.add(new Finding(name, firstToSteady(comparisonResults, variant, operation), ""));
      }
    }
  }

  private static SampleSummary firstToSteady(
      ComparisonResults comparisonResults, String variant, String operation) {
    List<Double> ratios = new ArrayList<>();
    for (Sample sample : comparisonResults.samples().getOrDefault(variant, List.of())) {
      double first = sample.value(FirstCallVariant.call(operation, 1));
      ratios.add(first / sample.value(FirstCallVariant.steady(operation)));
    }
    return SampleSummary.of(ratios);
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (FirstRequestProcess firstRequestProcess : SUBJECTS) {
      figures.add(requestFigure(requests(results, firstRequestProcess), firstRequestProcess));
    }
    if (!requestsOnly) {
      figures.addAll(figures(results.getFirst(), OperationSet.ENGINE, ""));
      figures.addAll(
          figures(results.getLast(), OperationSet.HISTORY_AND_BROKER, " with history and broker"));
    }
    return figures;
  }

  private static Figure requestFigure(
      ComparisonResults comparisonResults, FirstRequestProcess firstRequestProcess) {
    List<DotPlot.PlotRow> rows = new ArrayList<>();
    for (String variant : comparisonResults.samples().keySet()) {
      rows.add(
          row(comparisonResults, variant, variant, "first request", FirstRequestVariant.FIRST));
      rows.add(row(comparisonResults, variant, variant, "steady p99", FirstRequestVariant.STEADY));
    }
    Axis axis = Axis.logarithmic("time to the answer", "ms");
    String title =
        "First request after readiness, and steady p99 at 100/s: " + firstRequestProcess.title();
    return new DotPlot(title, axis, rows);
  }

  private static List<Figure> figures(
      ComparisonResults comparisonResults, OperationSet operationSet, String beside) {
    List<Figure> figures = new ArrayList<>();
    for (String variant : comparisonResults.samples().keySet()) {
      List<DotPlot.PlotRow> rows = new ArrayList<>();
      for (String operation : operationSet.names()) {
        rows.add(
            row(
                comparisonResults,
                variant,
                operation,
                "first",
                FirstCallVariant.call(operation, 1)));
        rows.add(
            row(
                comparisonResults,
                variant,
                operation,
                "second",
                FirstCallVariant.call(operation, 2)));
        rows.add(
            row(
                comparisonResults,
                variant,
                operation,
                "steady",
                FirstCallVariant.steady(operation)));
      }
      Axis axis = Axis.logarithmic("time to the answer", "ms");
      figures.add(
          new DotPlot("First and second call, and steady state: " + variant + beside, axis, rows));
    }
    return figures;
  }

  private static DotPlot.PlotRow row(
      ComparisonResults comparisonResults,
      String variant,
      String operation,
      String which,
      Metric metric) {
    return new DotPlot.PlotRow(
        operation + ", " + which,
        which,
        ResultFigures.interval(comparisonResults.summary(variant, metric)));
  }
}
