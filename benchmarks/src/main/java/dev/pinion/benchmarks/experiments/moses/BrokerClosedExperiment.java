package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment broker-closed}: throughput against clients, with and without broker. */
@Command(
    name = "broker-closed",
    description = "Throughput against clients, brokered and unbrokered.",
    mixinStandardHelpOptions = true)
public final class BrokerClosedExperiment extends BrokerExperiment {
  @Option(
      names = "--clients",
      split = ",",
      description = "Numbers of clients (1,2,4,9,16,32,64,128; --quick 4,32).")
  private @Nullable List<Integer> clients;

  @Override
  public String experiment() {
    return "broker-closed";
  }

  @Override
  public String question() {
    return "how throughput grows with the clients, brokered and unbrokered";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Throughput of the trip planner against the number of clients without think time, bound by the"
            + " broker and with concrete services.",
        "MOSES, Fig. 4: the first prototype reached about 21 transactions/s, the second one about 140"
            + " with 9 worker processes, without errors.",
        new HardwareRequirement(4, 1),
        "Both lines should lie on each other. One client shows how long a single request takes.");
  }

  @Override
  public Extent extent() {
    return Extent.of(2, 2 * clients().size()).withWarm(2 * (clients().size() - 1));
  }

  private List<Integer> clients() {
    return options().chosen(clients, List.of(1, 2, 4, 9, 16, 32, 64, 128), List.of(4, 32));
  }

  @Override
  public void check(CpuPlacement placement) {
    clients().forEach(number -> options().load(number, placement));
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<BrokerEngine> engines = engines(testbed);
    List<Comparison> comparisons = new ArrayList<>();
    for (int number : clients()) {
      LoadSettings cold = options().load(number, testbed.placement());
      LoadSettings load = comparisons.isEmpty() ? cold : cold.warm();
      List<BrokerVariant> variants =
          List.of(
              engines.getFirst().under(UNBROKERED, load), engines.getLast().under(BROKERED, load));
      comparisons.add(new Comparison(number + " clients", variants, UNBROKERED));
    }
    return comparisons;
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : List.of(Metric.THROUGHPUT, Metric.P50, Metric.CPU)) {
      figures.add(
          ResultFigures.over(
              "Trip planner, closed model: " + metric.name(),
              Axis.linear("clients", ""),
              results,
              metric,
              one -> clients().get(results.indexOf(one))));
    }
    return figures;
  }
}
