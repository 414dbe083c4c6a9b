package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.GeometricMean;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code experiment scaling}: a rising number of thinking clients, for each number of replicas. */
public final class ScalingExperiment {
  private static final ExperimentOption<List<Integer>> CLIENTS =
      CommonOptions.numbersOfClients(250, 1_000, 2_000, 4_000, 8_000)
          .quick(List.of(100, 400))
          .help("Numbers of clients");

  private static final ExperimentOption<Integer> THINK =
      CommonOptions.think(1_000, "Mean think time of a client in ms");

  private static final ExperimentOption<List<Integer>> REPLICAS =
      ExperimentOption.numbers("--replicas")
          .from(1, 64)
          .says("Numbers of replicas (1, the caches of the engine's CPUs, and twice as many).");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "scaling", "Throughput against thinking clients, for each number of replicas.")
          .question("how throughput grows with the clients, for each number of replicas")
          .shows(
              "Throughput against the number of clients that think between requests, for each"
                  + " number of replicas that share the same threads and memory.")
          .source(
              "SOSOA, Fig. 6: throughput grows until the engine is saturated; on machines with"
                  + " several caches more with a replica for each.")
          .needs(8, 2)
          .reading(
              "Think times have the paper's distribution: normal, mean 1 s, variance 0.5, cut at 0."
                  + " Each client asks about once a second until the engine is saturated. The mean"
                  + " over the workloads, which is what the paper shows, is geometric and taken"
                  + " within rounds.")
          .options(CommonOptions.WORKFLOWS, CLIENTS, THINK, REPLICAS)
          .extent(ScalingExperiment::extent)
          .placement(TestbedOptions::placementOfReplicas)
          .compares(ScalingExperiment::comparisons)
          .overall(ScalingExperiment::findings)
          .figures(ScalingExperiment::figures);

  private ScalingExperiment() {}

  private static Extent extent(ExperimentRun run) {
    int engines = counts(run).size();
    return Extent.sweep(engines, engines * workloads(run), run.get(CLIENTS).size());
  }

  private static int workloads(ExperimentRun run) {
    return CommonOptions.workflows(run).size();
  }

  private static List<Integer> counts(ExperimentRun run) {
    return run.isGiven(REPLICAS)
        ? run.get(REPLICAS)
        : Stream.of(1, run.engineCaches(), 2 * run.engineCaches()).distinct().toList();
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    Map<Integer, ServerProcess> engines = new LinkedHashMap<>();
    for (int count : counts(run)) {
      String name = count == 1 ? "1 replica" : count + " replicas";
      engines.put(count, testbed.replicas(name, Integer.toString(count)));
    }
    List<Comparison> comparisons = new ArrayList<>();
    for (Workload workload : CommonOptions.workflows(run)) {
      for (int number : run.get(CLIENTS)) {
        LoadSettings load =
            run.load(number)
                .thinking(Duration.ofMillis(run.get(THINK)))
                .warmIf(number != run.get(CLIENTS).getFirst());
        List<LoadVariant> variants = testbed.load(engines.values(), workload, load);
        String title =
            workload.id() + ", " + number + " clients thinking " + run.get(THINK) + " ms";
        comparisons.add(new Comparison(title, variants, variants.getFirst().name()));
      }
    }
    return comparisons;
  }

  /** Results of one workload, in the order of the numbers of clients. */
  private static List<ComparisonResults> of(
      ExperimentRun run, int workload, List<ComparisonResults> all) {
    int each = run.get(CLIENTS).size();
    return all.subList(workload * each, (workload + 1) * each);
  }

  /** Throughput in the mean over workloads, in the order of the numbers of clients. */
  private static List<ComparisonResults> means(ExperimentRun run, List<ComparisonResults> all) {
    List<ComparisonResults> means = new ArrayList<>();
    for (int i = 0; i < run.get(CLIENTS).size(); i++) {
      List<ComparisonResults> alike = new ArrayList<>();
      for (int workload = 0; workload < workloads(run); workload++) {
        alike.add(of(run, workload, all).get(i));
      }
      String title = mean(run) + ", " + run.get(CLIENTS).get(i) + " clients";
      means.add(GeometricMean.over(title, alike, Metric.THROUGHPUT));
    }
    return means;
  }

  private static String mean(ExperimentRun run) {
    return "geometric mean of " + workloads(run) + " workflows";
  }

  private static Stream<Finding> findings(ExperimentRun run, List<ComparisonResults> all) {
    return workloads(run) < 2
        ? Stream.of()
        : means(run, all).stream().flatMap(ScalingExperiment::findings);
  }

  private static Stream<Finding> findings(ComparisonResults mean) {
    return mean.others().stream()
        .flatMap(
            each ->
                mean.finding(
                    mean.title() + ", " + each,
                    each,
                    mean.baseline(),
                    Metric.THROUGHPUT,
                    mean.verdict(each, Metric.THROUGHPUT).toString()));
  }

  private static List<Figure> figures(ExperimentRun run, List<ComparisonResults> all) {
    List<Figure> figures = new ArrayList<>();
    if (workloads(run) > 1) {
      figures.addAll(over(run, mean(run), means(run, all), Metric.THROUGHPUT));
    }
    for (int i = 0; i < workloads(run); i++) {
      String workload = CommonOptions.workflows(run).get(i).id();
      figures.addAll(
          over(run, workload, of(run, i, all), Metric.THROUGHPUT, Metric.P50, Metric.CPU));
    }
    return figures;
  }

  private static List<Figure> over(
      ExperimentRun run, String title, List<ComparisonResults> some, Metric... metrics) {
    return ResultFigures.over(title, Axis.linear("clients", ""), run.get(CLIENTS), some, metrics);
  }
}
