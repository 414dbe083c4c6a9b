package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;

/** {@code experiment durability}: the cost of instances that survive. */
public final class DurabilityExperiment {
  private static final String IN_MEMORY = "none";
  private static final String SURE = "sync";
  private static final double LEAST = 0.5;

  private static final ExperimentOption<List<Integer>> CLIENTS =
      CommonOptions.numbersOfClients(1, 16, 128, 1_024)
          .quick(List.of(64))
          .help("Numbers of clients, separated by commas");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "durability",
              "Instances in memory, journalled, and journalled before anybody hears of them.")
          .question("what is left of the throughput in memory when instances are journalled")
          .shows(
              "What is left of the throughput in memory when instances are journalled, and when"
                  + " nobody hears of them before their journal is on disk.")
          .source(
              "Lean business tier, section 6.4: I/O off the critical path raised throughput by"
                  + " 70 % (33 to 56 K/s; the text says 41 %).")
          .reading("The target is half of the throughput in memory.")
          .options(CommonOptions.WORKLOAD, CLIENTS)
          .extent(run -> Extent.sweep(3, 3, run.get(CLIENTS).size()))
          .compares(DurabilityExperiment::comparisons)
          .findings(
              (run, one) ->
                  TargetFinding.atLeast(
                      one.title() + ": throughput, sync to none",
                      one.ratios(SURE, IN_MEMORY, Metric.THROUGHPUT),
                      LEAST))
          .figures(
              (run, all) ->
                  ResultFigures.over(
                      run.get(CommonOptions.WORKLOAD),
                      Axis.logarithmic("clients", ""),
                      run.get(CLIENTS),
                      all,
                      Metric.THROUGHPUT,
                      Metric.P50,
                      Metric.CPU));

  private DurabilityExperiment() {}

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    Workload workload = CommonOptions.workload(run);
    List<Comparison> comparisons = new ArrayList<>();
    for (int number : run.get(CLIENTS)) {
      LoadSettings load = run.load(number).warmIf(!comparisons.isEmpty());
      List<LoadVariant> levels = new ArrayList<>();
      for (String level : List.of(IN_MEMORY, "async", SURE)) {
        levels.add(testbed.durable(level, workload, load));
      }
      String title = workload.id() + ", " + CommonOptions.inWords(number);
      comparisons.add(new Comparison(title, levels, IN_MEMORY));
    }
    return comparisons;
  }
}
