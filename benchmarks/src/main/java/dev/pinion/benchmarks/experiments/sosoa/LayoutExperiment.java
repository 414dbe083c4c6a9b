package dev.pinion.benchmarks.experiments.sosoa;

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
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;

/** {@code experiment layout}: fused against pipelined, over workloads and numbers of clients. */
public final class LayoutExperiment {
  private static final ExperimentOption<List<String>> WORKLOADS =
      ExperimentOption.words("--workload", "sequential", "parallel")
          .quick(List.of("sequential"))
          .label("<workloads>")
          .checked(names -> names.forEach(Workload::named))
          .help("Workloads, separated by commas");

  private static final ExperimentOption<List<Integer>> CLIENTS =
      CommonOptions.numbersOfClients(1, 16, 64)
          .quick(List.of(1, 64))
          .help("Numbers of clients, separated by commas");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "layout",
              "Fused against pipelined: what self-configuration should choose on these CPUs.")
          .question("which layout serves more on these CPUs, fused or pipelined")
          .shows(
              "Throughput with all stages of an instance on one event loop, and with a loop for"
                  + " each stage.")
          .source("The pipelined layout is that of the SOSOA paper (Fig. 1).")
          .needs(4, 1)
          .reading(
              "Where stages have no CPU each, the pipelined layout shares them, which costs"
                  + " hand-overs and gains nothing.")
          .options(WORKLOADS, CLIENTS)
          .extent(run -> Extent.sweep(2, 2 * run.get(WORKLOADS).size(), run.get(CLIENTS).size()))
          .compares(LayoutExperiment::comparisons)
          .figures(LayoutExperiment::figures);

  private LayoutExperiment() {}

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<Comparison> comparisons = new ArrayList<>();
    for (String name : run.get(WORKLOADS)) {
      Workload workload = Workload.named(name);
      for (int number : run.get(CLIENTS)) {
        LoadSettings load = run.load(number).warmIf(number != run.get(CLIENTS).getFirst());
        comparisons.add(
            new Comparison(
                name + ", " + CommonOptions.inWords(number),
                List.of(
                    testbed.engine(EngineLayout.FUSED, workload, load),
                    testbed.engine(EngineLayout.PIPELINED, workload, load)),
                EngineLayout.FUSED.variant()));
      }
    }
    return comparisons;
  }

  private static List<Figure> figures(ExperimentRun run, List<ComparisonResults> all) {
    List<Integer> clients = run.get(CLIENTS);
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < run.get(WORKLOADS).size(); i++) {
      figures.addAll(
          ResultFigures.over(
              run.get(WORKLOADS).get(i),
              Axis.logarithmic("clients", ""),
              clients,
              all.subList(i * clients.size(), (i + 1) * clients.size()),
              Metric.THROUGHPUT,
              Metric.P99));
    }
    return figures;
  }
}
