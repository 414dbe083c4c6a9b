package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.ArrayList;
import java.util.List;

/** {@code experiment broker-open}: response times against the rate, with and without broker. */
public final class BrokerOpenExperiment {
  private static final ExperimentOption<List<Double>> FRACTIONS =
      CommonOptions.shares(0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1)
          .quick(List.of(0.2, 0.5))
          .help("Rates as shares of what the engine without a broker can do");

  private static final ExperimentOption<List<Integer>> RATES =
      ExperimentOption.numbers("--rates")
          .from(1, 1_000_000)
          .says("Rates in instances/s instead, such as the paper's 10,50,90,130.");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "broker-open", "Response time and errors against the rate, brokered and unbrokered.")
          .question("how response times and errors grow with the rate, brokered and unbrokered")
          .shows(
              "Response times and errors of the trip planner against the rate at which requests"
                  + " arrive, up to saturation and beyond, bound by the broker and with concrete"
                  + " services.")
          .source(
              "MOSES, Fig. 5 and 6: the first prototype was stable up to 19 requests/s with"
                  + " response times of 0.6 to 3 s and 21 errors in an hour, the second one up to"
                  + " 130 requests/s without errors, where it took 108 % longer than the engine"
                  + " without a broker (30 to 209 %).")
          .needs(4, 1)
          .reading(
              "Arrivals are Poisson's; times count from when a request was due. Beyond"
                  + " saturation response times grow as long as it lasts, so they say nothing but"
                  + " that; errors are requests that were due and not answered rightly.")
          .options(FRACTIONS, RATES, CommonOptions.CAPACITY_CLIENTS)
          .extent(run -> Extent.sweep(2, 2, points(run)).with(1))
          .placement(BrokerExperiment::placement)
          .compares(BrokerOpenExperiment::comparisons)
          .findings(
              (run, one) ->
                  one.finding(
                      "median time, brokered, " + one.title(),
                      BrokerExperiment.BROKERED,
                      BrokerExperiment.UNBROKERED,
                      Metric.P50,
                      ""))
          .figures((run, all) -> figures(all));

  private BrokerOpenExperiment() {}

  private static int points(ExperimentRun run) {
    return run.isGiven(RATES) ? run.get(RATES).size() : run.get(FRACTIONS).size();
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    int clients = run.get(CommonOptions.CAPACITY_CLIENTS);
    LoadSettings closed = run.load(clients);
    List<BrokerVariant> pair = BrokerExperiment.pair(testbed, closed);
    List<Comparison> comparisons = new ArrayList<>();
    for (double rate : rates(run, pair.getFirst())) {
      LoadSettings open =
          closed
              .warmIf(!comparisons.isEmpty())
              .arriving(new Arrivals(Pattern.POISSON, rate), 8 * clients);
      String title = Math.round(rate) + " instances/s";
      comparisons.add(BrokerExperiment.comparison(title, pair, open));
    }
    return comparisons;
  }

  private static List<Double> rates(ExperimentRun run, BrokerVariant unbrokered)
      throws MeasurementException, InterruptedException {
    if (run.isGiven(RATES)) {
      return run.get(RATES).stream().map(Integer::doubleValue).toList();
    }
    double capacity = OfferedRate.capacity(unbrokered.load());
    return run.get(FRACTIONS).stream().map(share -> OfferedRate.share(share, capacity)).toList();
  }

  private static List<Figure> figures(List<ComparisonResults> all) {
    List<Double> offered =
        all.stream()
            .map(one -> one.summary(BrokerExperiment.UNBROKERED, LoadVariant.OFFERED).median())
            .toList();
    Axis x = Axis.linear("arrivals", "1/s");
    return ResultFigures.over(
        "Trip planner, open model",
        x,
        offered,
        all,
        Metric.P50,
        Metric.P99,
        Metric.ERRORS,
        Metric.CPU);
  }
}
