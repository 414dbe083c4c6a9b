package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.OneTaskWorkload;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code experiment tail}: response times at fixed rates, with and without affinity. */
public final class TailExperiment {
  private static final String BASELINE = "no affinity, parked";

  /** Instances/s in Fig. 5 of the paper. */
  private static final List<Integer> PAPER_RATES = List.of(20_000, 40_000, 60_000);

  private static final ExperimentOption<List<Double>> FRACTIONS =
      CommonOptions.shares(0.3, 0.6)
          .quick(List.of(0.3))
          .help("Rates as shares of what the engine without affinity can do");

  private static final ExperimentOption<List<Integer>> RATES =
      ExperimentOption.numbers("--rates")
          .from(1, 10_000_000)
          .says(
              "Rates in instances/s instead of fractions, or beside them where --fractions are given"
                  + " too (--full: the paper's 20000,40000,60000, beside fractions).");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "tail", "Response-time percentiles with and without affinity, parked and spinning.")
          .question("what affinity and spinning do to response times at fixed rates")
          .shows(
              "Percentiles of response times of a process of one task, without affinity and"
                  + " with it, and with event loops that park and that look again (at once with"
                  + " affinity, after a yield without it, as an engine does not spin without CPUs"
                  + " of its own), at Poisson and bursty rates.")
          .source(
              "Lean business tier, Fig. 5: affinity took the 95th percentile from 150 to 49 µs"
                  + " at 20 K/s and the 99th from 8,650 to 180 µs; 5(a) and 5(b) differ in the"
                  + " longest time (41,320 and 413,200 µs).")
          .needs(8, 1)
          .reading(
              "Times count from when a request was due, whatever came before it. A request that"
                  + " was due and not answered is an error. At fixed rates response times contain"
                  + " queueing: they are no speed-ups.")
          .options(FRACTIONS, RATES, CommonOptions.CAPACITY_CLIENTS)
          .extent(run -> Extent.sweep(4, 4, loads(run)).with(1))
          .placement(TestbedOptions::placementOfPinnedLoops)
          .compares(TailExperiment::comparisons)
          .figures((run, all) -> all.stream().map(PercentileFigure::of).toList());

  private TailExperiment() {}

  /** Each rate and each fraction, and the first of both kinds once more, bursty. */
  private static int loads(ExperimentRun run) {
    int absolute = rates(run).isEmpty() ? 0 : rates(run).size() + 1;
    return absolute + (takesFractions(run) ? run.get(FRACTIONS).size() + 1 : 0);
  }

  private static boolean takesFractions(ExperimentRun run) {
    return !run.isGiven(RATES) || run.isGiven(FRACTIONS);
  }

  private static List<Integer> rates(ExperimentRun run) {
    if (run.isGiven(RATES)) {
      return run.get(RATES);
    }
    return run.isFull() && !run.isGiven(FRACTIONS) ? PAPER_RATES : List.of();
  }

  private static Map<String, List<String>> settings(ExperimentRun run) {
    Map<String, List<String>> settings = new LinkedHashMap<>();
    settings.put(BASELINE, PinnedLoops.options(run, "none", "park"));
    // An engine refuses to spin unless each loop has a separate CPU.
    settings.put("no affinity, yielding", PinnedLoops.options(run, "none", "yield"));
    settings.put("affinity, parked", PinnedLoops.options(run, "threads", "park"));
    settings.put("affinity, spinning", PinnedLoops.options(run, "threads", "spin"));
    return settings;
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    int clients = run.get(CommonOptions.CAPACITY_CLIENTS);
    LoadSettings load = run.load(clients);
    List<LoadVariant> closed = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : settings(run).entrySet()) {
      ServerProcess engine = testbed.serve(each.getKey(), each.getValue());
      OneTaskWorkload.deploy(testbed, engine);
      closed.add(testbed.load(engine, OneTaskWorkload.starts(engine.uri()), 0, load));
    }
    List<Comparison> comparisons = new ArrayList<>();
    for (Map.Entry<String, Arrivals> each : arrivals(run, closed.getFirst()).entrySet()) {
      LoadSettings open =
          load.warmIf(!comparisons.isEmpty()).arriving(each.getValue(), 8 * clients);
      List<LoadVariant> variants =
          closed.stream().map(one -> one.under(one.name(), open).withTail()).toList();
      comparisons.add(new Comparison(each.getKey(), variants, BASELINE));
    }
    return comparisons;
  }

  /** Rates by title; a bursty one at the lowest. */
  private static Map<String, Arrivals> arrivals(ExperimentRun run, LoadVariant baseline)
      throws MeasurementException, InterruptedException {
    Map<String, Double> rates = new LinkedHashMap<>();
    Map<String, Arrivals> arrivals = new LinkedHashMap<>();
    if (takesFractions(run)) {
      double capacity = OfferedRate.capacity(baseline);
      for (double fraction : run.get(FRACTIONS)) {
        String percent = String.format(Locale.ROOT, "%.0f %%", 100 * fraction);
        rates.put(percent + " of capacity", OfferedRate.share(fraction, capacity));
      }
      add(arrivals, rates);
      rates.clear();
    }
    rates(run).forEach(rate -> rates.put(rate + "/s", (double) rate));
    add(arrivals, rates);
    return arrivals;
  }

  private static void add(Map<String, Arrivals> arrivals, Map<String, Double> rates) {
    rates.forEach(
        (title, rate) -> arrivals.put(title + ", Poisson", new Arrivals(Pattern.POISSON, rate)));
    rates.entrySet().stream()
        .limit(1)
        .forEach(
            first ->
                arrivals.put(
                    first.getKey() + ", bursty", new Arrivals(Pattern.BURSTY, first.getValue())));
  }
}
