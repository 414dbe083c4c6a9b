package dev.pinion.benchmarks.experiments.lean;

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
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment durability}: the cost of instances that survive. */
@Command(
    name = "durability",
    description = "Instances in memory, journalled, and journalled before anybody hears of them.",
    mixinStandardHelpOptions = true)
public final class DurabilityExperiment extends TestbedCommand {
  private static final String IN_MEMORY = "none";
  private static final String SURE = "sync";
  private static final double LEAST = 0.5;

  @Option(
      names = "--workload",
      defaultValue = "sequential",
      description = "The workload (${DEFAULT-VALUE}).")
  private String workload = "";

  @Option(
      names = "--clients",
      split = ",",
      description = "Numbers of clients, separated by commas (1,16,128,1024; --quick 64).")
  private @Nullable List<Integer> clients;

  private List<Integer> clients() {
    return options().chosen(clients, List.of(1, 16, 128, 1_024), List.of(64));
  }

  @Override
  public String experiment() {
    return "durability";
  }

  @Override
  public String question() {
    return "what is left of the throughput in memory when instances are journalled";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "What is left of the throughput in memory when instances are journalled, and when nobody hears of"
            + " them before their journal is on disk.",
        "Lean business tier, section 6.4: I/O off the critical path raised throughput by 70 % (33 to"
            + " 56 K/s; the text says 41 %).",
        HardwareRequirement.ANY,
        "The target is half of the throughput in memory.");
  }

  @Override
  public Extent extent() {
    return Extent.of(3, 3 * clients().size()).withWarm(3 * (clients().size() - 1));
  }

  @Override
  public void check(CpuPlacement placement) {
    Workload.named(workload);
    clients().forEach(number -> options().load(number, placement));
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<Comparison> comparisons = new ArrayList<>();
    for (int number : clients()) {
      LoadSettings cold = options().load(number, testbed.placement());
      LoadSettings load = comparisons.isEmpty() ? cold : cold.warm();
      List<LoadVariant> levels = new ArrayList<>();
      for (String level : List.of(IN_MEMORY, "async", SURE)) {
        levels.add(testbed.durable(level, Workload.named(workload), load));
      }
      String title = workload + ", " + number + (number == 1 ? " client" : " clients");
      comparisons.add(new Comparison(title, levels, IN_MEMORY));
    }
    return comparisons;
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    return TargetFinding.atLeast(
            comparisonResults.title() + ": throughput, sync to none",
            comparisonResults.ratios(SURE, IN_MEMORY, Metric.THROUGHPUT),
            LEAST)
        .toList();
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : List.of(Metric.THROUGHPUT, Metric.P50, Metric.CPU)) {
      figures.add(
          ResultFigures.over(
              workload + ": " + metric.name(),
              Axis.logarithmic("clients", ""),
              results,
              metric,
              one -> clients().get(results.indexOf(one))));
    }
    return figures;
  }
}
