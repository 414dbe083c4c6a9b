package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.Effort;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.OneTaskWorkload;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment tail}: response times at fixed rates, with and without affinity. */
@Command(
    name = "tail",
    description = "Response-time percentiles with and without affinity, parked and spinning.",
    mixinStandardHelpOptions = true)
public final class TailExperiment extends TestbedCommand {
  private static final String BASELINE = "no affinity, parked";

  /** Instances/s in Fig. 5 of the paper. */
  private static final List<Integer> PAPER_RATES = List.of(20_000, 40_000, 60_000);

  /** Least number of CPUs at which event loops may have a CPU each. */
  private static final int ENOUGH = 4;

  @Option(
      names = "--fractions",
      split = ",",
      description =
          "Rates as shares of what the engine without affinity can do (0.3,0.6; --quick 0.3).")
  private @Nullable List<Double> fractions;

  @Option(
      names = "--rates",
      split = ",",
      description =
          "Rates in instances/s instead of fractions, or beside them where --fractions are given"
              + " too (--full: the paper's 20000,40000,60000, beside fractions).")
  private @Nullable List<Integer> rates;

  @Option(
      names = "--clients",
      defaultValue = "64",
      description =
          "Clients that find out what the engine can do; eight times as many requests may be under"
              + " way (${DEFAULT-VALUE}).")
  private int clients;

  @Override
  public String experiment() {
    return "tail";
  }

  @Override
  public String question() {
    return "what affinity and spinning do to response times at fixed rates";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Percentiles of response times of a process of one task, without affinity and with it, and"
            + " with event loops that park and that look again (at once with affinity, after a yield"
            + " without it, as an engine does not spin without CPUs of its own), at Poisson and bursty"
            + " rates.",
        "Lean business tier, Fig. 5: affinity took the 95th percentile from 150 to 49 µs at 20 K/s and"
            + " the 99th from 8,650 to 180 µs; 5(a) and 5(b) differ in the longest time (41,320 and"
            + " 413,200 µs).",
        new HardwareRequirement(8, 1),
        "Times count from when a request was due, whatever came before it. A request that was due and"
            + " not answered is an error. At fixed rates response times contain queueing: they are no"
            + " speed-ups.");
  }

  @Override
  public Extent extent() {
    int loads = loads();
    return Extent.of(4, 4 * loads + 1).withWarm(4 * (loads - 1));
  }

  /** Each rate and each fraction, and the first of both kinds once more, bursty. */
  private int loads() {
    int absolute = rates().isEmpty() ? 0 : rates().size() + 1;
    return absolute + (takesFractions() ? fractions().size() + 1 : 0);
  }

  private boolean takesFractions() {
    return rates == null || fractions != null;
  }

  private List<Integer> rates() {
    if (rates != null) {
      return rates;
    }
    return options().effort() == Effort.FULL && fractions == null ? PAPER_RATES : List.of();
  }

  private List<Double> fractions() {
    return options().chosen(fractions, List.of(0.3, 0.6), List.of(0.3));
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfPinnedLoops(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    options().load(clients, placement);
    for (double fraction : fractions()) {
      if (!(fraction > 0 && fraction <= 2)) {
        throw new IllegalArgumentException(
            "expected --fractions above 0 and up to 2, found " + fraction);
      }
    }
    if (rates != null) {
      rates.forEach(rate -> TestbedOptions.requireRange("--rates", rate, 1, 10_000_000));
    }
  }

  private static Map<String, List<String>> settings(CpuPlacement placement) {
    List<String> loops =
        placement.engine().size() < ENOUGH ? List.of("--layout", "fused:1") : List.of();
    Map<String, List<String>> settings = new LinkedHashMap<>();
    settings.put(BASELINE, List.of("--pinning", "none", "--waiting", "park"));
    // An engine refuses to spin unless each loop has a separate CPU.
    settings.put("no affinity, yielding", List.of("--pinning", "none", "--waiting", "yield"));
    settings.put("affinity, parked", List.of("--pinning", "threads", "--waiting", "park"));
    settings.put("affinity, spinning", List.of("--pinning", "threads", "--waiting", "spin"));
    settings.replaceAll(
        (name, options) -> {
          List<String> all = new ArrayList<>(List.of("--replicas", "1"));
          all.addAll(options);
          all.addAll(loops);
          return all;
        });
    return settings;
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings load = options().load(clients, testbed.placement());
    List<LoadVariant> closed = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : settings(testbed.placement()).entrySet()) {
      ServerProcess engine = testbed.serve(each.getKey(), each.getValue());
      OneTaskWorkload.deploy(testbed, engine);
      closed.add(testbed.load(engine, OneTaskWorkload.starts(engine.uri()), 0, load));
    }
    List<Comparison> comparisons = new ArrayList<>();
    for (Map.Entry<String, Arrivals> each : arrivals(closed.getFirst()).entrySet()) {
      LoadSettings settings = comparisons.isEmpty() ? load : load.warm();
      LoadSettings open = settings.arriving(each.getValue(), 8 * clients);
      List<LoadVariant> variants =
          closed.stream().map(one -> one.under(one.name(), open).withTail()).toList();
      comparisons.add(new Comparison(each.getKey(), variants, BASELINE));
    }
    return comparisons;
  }

  /** Rates by title; a bursty one at the lowest. */
  private Map<String, Arrivals> arrivals(LoadVariant baseline)
      throws MeasurementException, InterruptedException {
    Map<String, Arrivals> arrivals = new LinkedHashMap<>();
    if (takesFractions()) {
      double capacity = OfferedRate.capacity(baseline);
      for (double fraction : fractions()) {
        double rate = OfferedRate.share(fraction, capacity);
        arrivals.put(
            percent(fraction) + " of capacity, Poisson", new Arrivals(Pattern.POISSON, rate));
      }
      double rate = OfferedRate.share(fractions().getFirst(), capacity);
      arrivals.put(
          percent(fractions().getFirst()) + " of capacity, bursty",
          new Arrivals(Pattern.BURSTY, rate));
    }
    rates().forEach(r -> arrivals.put(r + "/s, Poisson", new Arrivals(Pattern.POISSON, r)));
    rates().stream()
        .limit(1)
        .forEach(r -> arrivals.put(r + "/s, bursty", new Arrivals(Pattern.BURSTY, r)));
    return arrivals;
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * fraction);
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    return results.stream().map(PercentileFigure::of).toList();
  }
}
