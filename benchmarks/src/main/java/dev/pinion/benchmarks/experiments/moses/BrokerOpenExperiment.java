package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment broker-open}: response times against the rate, with and without broker. */
@Command(
    name = "broker-open",
    description = "Response time and errors against the rate, brokered and unbrokered.",
    mixinStandardHelpOptions = true)
public final class BrokerOpenExperiment extends BrokerExperiment {
  private static final int MAX_RATE = 1_000_000;

  @Option(
      names = "--fractions",
      split = ",",
      description =
          "Rates as shares of what the engine without a broker can do"
              + " (0.1,0.3,0.5,0.7,0.8,0.9,1,1.1; --quick 0.2,0.5).")
  private @Nullable List<Double> fractions;

  @Option(
      names = "--rates",
      split = ",",
      description = "Rates in instances/s instead, such as the paper's 10,50,90,130.")
  private @Nullable List<Integer> rates;

  @Option(
      names = "--clients",
      defaultValue = "64",
      description =
          "Clients that find out what the engine can do; eight times as many requests may be under"
              + " way (${DEFAULT-VALUE}).")
  private int clients;

  /** Rates of the comparisons, in their order; known once engines run. */
  private final List<Double> offered = new ArrayList<>();

  @Override
  public String experiment() {
    return "broker-open";
  }

  @Override
  public String question() {
    return "how response times and errors grow with the rate, brokered and unbrokered";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Response times and errors of the trip planner against the rate at which requests arrive, up to"
            + " saturation and beyond, bound by the broker and with concrete services.",
        "MOSES, Fig. 5 and 6: the first prototype was stable up to 19 requests/s with response times of"
            + " 0.6 to 3 s and 21 errors in an hour, the second one up to 130 requests/s without errors,"
            + " where it took 108 % longer than the engine without a broker (30 to 209 %).",
        new HardwareRequirement(4, 1),
        "Arrivals are Poisson's; times count from when a request was due. Beyond saturation response"
            + " times grow as long as it lasts, so they say nothing but that; errors are requests that"
            + " were due and not answered rightly.");
  }

  @Override
  public Extent extent() {
    return Extent.of(2, 2 * points() + 1).withWarm(2 * (points() - 1));
  }

  private int points() {
    return rates == null ? fractions().size() : rates.size();
  }

  private List<Double> fractions() {
    return options()
        .chosen(fractions, List.of(0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1), List.of(0.2, 0.5));
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
      rates.forEach(rate -> TestbedOptions.requireRange("--rates", rate, 1, MAX_RATE));
    }
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings closed = options().load(clients, testbed.placement());
    List<BrokerEngine> engines = engines(testbed);
    BrokerVariant plain = engines.getFirst().under(UNBROKERED, closed);
    BrokerVariant brokered = engines.getLast().under(BROKERED, closed);
    if (rates == null) {
      double capacity = capacity(plain);
      fractions().forEach(share -> offered.add(OfferedRate.share(share, capacity)));
    } else {
      rates.forEach(rate -> offered.add((double) rate));
    }
    List<Comparison> comparisons = new ArrayList<>();
    for (double rate : offered) {
      LoadSettings settings = comparisons.isEmpty() ? closed : closed.warm();
      LoadSettings open = settings.arriving(new Arrivals(Pattern.POISSON, rate), 8 * clients);
      comparisons.add(
          new Comparison(
              Math.round(rate) + " instances/s",
              List.of(plain.under(UNBROKERED, open), brokered.under(BROKERED, open)),
              UNBROKERED));
    }
    return comparisons;
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    return comparisonResults
        .ratio(BROKERED, UNBROKERED, Metric.P50)
        .map(ratio -> new Finding("median time, brokered, " + comparisonResults.title(), ratio, ""))
        .stream()
        .toList();
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : List.of(Metric.P50, Metric.P99, Metric.ERRORS, Metric.CPU)) {
      figures.add(
          ResultFigures.over(
              "Trip planner, open model: " + metric.name(),
              Axis.linear("arrivals", "1/s"),
              results,
              metric,
              one -> offered.get(results.indexOf(one))));
    }
    return figures;
  }
}
