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
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.speedup.SpeedUpAnalysis;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.Arrivals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code experiment threads}: one replica with a rising number of Kernel and Invoker threads. */
public final class ThreadsExperiment {
  private static final double MOST_OF_CAPACITY = 0.7;
  private static final String SATURATION = "saturation";
  private static final String OFFERED = "offered rate";

  private static final ExperimentOption<List<Integer>> THREADS =
      ExperimentOption.numbers("--threads", 1, 2, 4, 8, 16, 32)
          .quick(List.of(1, 2, 4))
          .from(1, 256)
          .help("Kernel threads, and as many Invoker threads");

  private static final ExperimentOption<Integer> RATE =
      ExperimentOption.of("--rate", 2_000)
          .from(1, 10_000_000)
          .says(
              "Rate that is offered, in instances/s (2000); 70 %% of what one thread each can do"
                  + " where that is less.");

  private static final ExperimentOption<Integer> CLIENTS =
      CommonOptions.clients(64, "Clients at saturation, and the most requests under way");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "threads",
              "Throughput against Kernel and Invoker threads, at saturation and at a rate.")
          .question("how many Kernel and Invoker threads one replica should have")
          .shows(
              "Throughput of one replica against the number of its Kernel and Invoker threads,"
                  + " saturated and at a constant rate.")
          .source(
              "SOSOA, Fig. 4: on 12 cores and at 2,000 requests/s throughput does not grow with the"
                  + " threads; each workflow has a number beyond which it falls.")
          .needs(8, 1)
          .reading(
              "Threads beyond the CPUs of the engine share them. Speed-ups are of throughput at"
                  + " saturation; their mean over the workloads is geometric and taken within"
                  + " rounds.")
          .options(CommonOptions.WORKFLOWS, THREADS, RATE, CLIENTS)
          .extent(ThreadsExperiment::extent)
          .placement(TestbedOptions::placementOfReplicas)
          .compares(ThreadsExperiment::comparisons)
          .overall(ThreadsExperiment::findings)
          .figures(ThreadsExperiment::figures);

  private ThreadsExperiment() {}

  private static Extent extent(ExperimentRun run) {
    int engines = run.get(THREADS).size();
    int workloads = CommonOptions.workflows(run).size();
    return Extent.of(engines, workloads * (2 * engines + 1)).withWarm(workloads * engines);
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<ServerProcess> engines = new ArrayList<>();
    for (int number : run.get(THREADS)) {
      engines.add(testbed.replicas(name(number), "sosoa:1:" + number));
    }
    int clients = run.get(CLIENTS);
    LoadSettings load = run.load(clients);
    List<Comparison> comparisons = new ArrayList<>();
    for (Workload workload : CommonOptions.workflows(run)) {
      List<LoadVariant> saturated = testbed.load(engines, workload, load);
      double capacity = OfferedRate.capacity(saturated.getFirst());
      double offered = Math.min(run.get(RATE), OfferedRate.share(MOST_OF_CAPACITY, capacity));
      LoadSettings open =
          load.warm().arriving(new Arrivals(Arrivals.Pattern.CONSTANT, offered), clients);
      List<LoadVariant> loaded =
          saturated.stream().map(each -> each.under(each.name(), open)).toList();
      String baseline = saturated.getFirst().name();
      comparisons.add(new Comparison(workload.id() + ", " + SATURATION, saturated, baseline));
      comparisons.add(new Comparison(workload.id() + ", " + OFFERED, loaded, baseline));
    }
    return comparisons;
  }

  private static String name(int number) {
    return number + "+" + number;
  }

  private static Map<String, Integer> byName(ExperimentRun run) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    run.get(THREADS).forEach(number -> numbers.put(name(number), number));
    return numbers;
  }

  /** Results under one condition, a comparison for each workload. */
  private static List<ComparisonResults> at(String condition, List<ComparisonResults> all) {
    return all.stream().filter(one -> one.title().endsWith(", " + condition)).toList();
  }

  /** Speed-ups of each workload, and of several also in the mean. */
  private static Map<String, SpeedUpAnalysis> speedUps(
      ExperimentRun run, List<ComparisonResults> all) {
    List<ComparisonResults> saturated = new ArrayList<>(at(SATURATION, all));
    if (saturated.size() > 1) {
      String title = "geometric mean of " + saturated.size() + " workflows, " + SATURATION;
      saturated.add(GeometricMean.over(title, saturated, Metric.THROUGHPUT));
    }
    Map<String, SpeedUpAnalysis> speedUps = new LinkedHashMap<>();
    for (ComparisonResults one : saturated) {
      speedUps.put(one.title(), SpeedUpAnalysis.of(one, byName(run), run.engineCpus()));
    }
    return speedUps;
  }

  private static Stream<Finding> findings(ExperimentRun run, List<ComparisonResults> all) {
    List<Finding> findings = new ArrayList<>();
    speedUps(run, all)
        .forEach(
            (title, speedUp) -> {
              for (Finding one : speedUp.findings("Kernel and Invoker threads")) {
                findings.add(new Finding(title + ": " + one.name(), one.ratio(), one.note()));
              }
            });
    return findings.stream();
  }

  private static List<Figure> figures(ExperimentRun run, List<ComparisonResults> all) {
    Axis x = Axis.logarithmic("Kernel threads, and as many Invoker threads", "");
    List<Figure> figures = new ArrayList<>();
    for (String condition : List.of(SATURATION, OFFERED)) {
      for (Metric metric : List.of(Metric.THROUGHPUT, Metric.P99, Metric.CPU)) {
        String title = metric.name() + " at " + condition;
        figures.add(
            ResultFigures.acrossVariants(title, x, at(condition, all), metric, byName(run)));
      }
    }
    speedUps(run, all)
        .forEach((title, one) -> figures.addAll(one.figures("Speed-up: " + title, "threads")));
    return figures;
  }
}
