package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import java.util.ArrayList;
import java.util.List;

/** {@code experiment broker-closed}: throughput against clients, with and without broker. */
public final class BrokerClosedExperiment {
  private static final ExperimentOption<List<Integer>> CLIENTS =
      CommonOptions.numbersOfClients(1, 2, 4, 9, 16, 32, 64, 128)
          .quick(List.of(4, 32))
          .help("Numbers of clients");

  public static final Experiment EXPERIMENT =
      Experiment.named("broker-closed", "Throughput against clients, brokered and unbrokered.")
          .question("how throughput grows with the clients, brokered and unbrokered")
          .shows(
              "Throughput of the trip planner against the number of clients without think time,"
                  + " bound by the broker and with concrete services.")
          .source(
              "MOSES, Fig. 4: the first prototype reached about 21 transactions/s, the second"
                  + " one about 140 with 9 worker processes, without errors.")
          .needs(4, 1)
          .reading(
              "Both lines should lie on each other. One client shows how long a single request"
                  + " takes.")
          .options(CLIENTS)
          .extent(run -> Extent.sweep(2, 2, run.get(CLIENTS).size()))
          .placement(BrokerExperiment::placement)
          .compares(BrokerClosedExperiment::comparisons)
          .figures(
              (run, all) ->
                  ResultFigures.over(
                      "Trip planner, closed model",
                      Axis.linear("clients", ""),
                      run.get(CLIENTS),
                      all,
                      Metric.THROUGHPUT,
                      Metric.P50,
                      Metric.CPU));

  private BrokerClosedExperiment() {}

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<BrokerVariant> pair = BrokerExperiment.pair(testbed, run.load(1));
    List<Comparison> comparisons = new ArrayList<>();
    for (int number : run.get(CLIENTS)) {
      LoadSettings load = run.load(number).warmIf(!comparisons.isEmpty());
      comparisons.add(BrokerExperiment.comparison(number + " clients", pair, load));
    }
    return comparisons;
  }
}
