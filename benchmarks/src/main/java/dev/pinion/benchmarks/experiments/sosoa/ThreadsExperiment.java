package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.GeometricMean;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.speedup.SpeedUpAnalysis;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.Arrivals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code experiment threads}: one replica with a rising number of Kernel and Invoker threads. */
@Command(
    name = "threads",
    description = "Throughput against Kernel and Invoker threads, at saturation and at a rate.",
    mixinStandardHelpOptions = true)
public final class ThreadsExperiment extends TestbedCommand {
  private static final double MOST_OF_CAPACITY = 0.7;
  private static final int MAX_THREADS = 256;
  private static final String SATURATION = "saturation";
  private static final String OFFERED = "offered rate";

  @Mixin private WorkflowsOption patterns = new WorkflowsOption();

  @Option(
      names = "--threads",
      split = ",",
      description = "Kernel threads, and as many Invoker threads (1,2,4,8,16,32; --quick 1,2,4).")
  private @Nullable List<Integer> threads;

  @Option(
      names = "--rate",
      defaultValue = "2000",
      description =
          "Rate that is offered, in instances/s (${DEFAULT-VALUE}); 70 %% of what one thread each can do"
              + " where that is less.")
  private int rate;

  @Option(
      names = "--clients",
      defaultValue = "64",
      description = "Clients at saturation, and the most requests under way (${DEFAULT-VALUE}).")
  private int clients;

  @Override
  public String experiment() {
    return "threads";
  }

  @Override
  public String question() {
    return "how many Kernel and Invoker threads one replica should have";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Throughput of one replica against the number of its Kernel and Invoker threads, saturated"
            + " and at a constant rate.",
        "SOSOA, Fig. 4: on 12 cores and at 2,000 requests/s throughput does not grow with the threads;"
            + " each workflow has a number beyond which it falls.",
        new HardwareRequirement(8, 1),
        "Threads beyond the CPUs of the engine share them. Speed-ups are of throughput at saturation;"
            + " their mean over the workloads is geometric and taken within rounds.");
  }

  @Override
  public Extent extent() {
    int engines = numbers().size();
    int workloads = workloads().size();
    return Extent.of(engines, workloads * (2 * engines + 1)).withWarm(workloads * engines);
  }

  private List<Workload> workloads() {
    return patterns.chosen(options());
  }

  private List<Integer> numbers() {
    return options().chosen(threads, List.of(1, 2, 4, 8, 16, 32), List.of(1, 2, 4));
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    workloads();
    options().load(clients, placement);
    TestbedOptions.requireRange("--rate", rate, 1, 10_000_000);
    numbers().forEach(n -> TestbedOptions.requireRange("--threads", n, 1, MAX_THREADS));
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<ServerProcess> engines = new ArrayList<>();
    for (int number : numbers()) {
      ServerProcess engine =
          testbed.serve(name(number), List.of("--replicas", "sosoa:1:" + number));
      testbed.deployWorkloads(engine);
      engines.add(engine);
    }
    List<Comparison> comparisons = new ArrayList<>();
    for (Workload workload : workloads()) {
      LoadSettings load = options().load(clients, testbed.placement());
      List<LoadVariant> saturated =
          engines.stream().map(engine -> testbed.load(engine, workload, load)).toList();
      double capacity = OfferedRate.capacity(saturated.getFirst());
      double offered = Math.min(rate, OfferedRate.share(MOST_OF_CAPACITY, capacity));
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

  private Map<String, Double> places() {
    Map<String, Double> places = new LinkedHashMap<>();
    numbers().forEach(number -> places.put(name(number), (double) number));
    return places;
  }

  /** Results under one condition, a comparison for each workload. */
  private static List<ComparisonResults> at(String condition, List<ComparisonResults> results) {
    return results.stream().filter(one -> one.title().endsWith(", " + condition)).toList();
  }

  /** Speed-ups of each workload, and of several also in the mean. */
  private Map<String, SpeedUpAnalysis> speedUps(List<ComparisonResults> results) {
    List<ComparisonResults> saturated = at(SATURATION, results);
    Map<String, SpeedUpAnalysis> all = new LinkedHashMap<>();
    for (ComparisonResults one : saturated) {
      all.put(one.title(), speedUps(one));
    }
    if (saturated.size() > 1) {
      String title = "geometric mean of " + saturated.size() + " workflows, " + SATURATION;
      all.put(title, speedUps(GeometricMean.over(title, saturated, Metric.THROUGHPUT)));
    }
    return all;
  }

  private SpeedUpAnalysis speedUps(ComparisonResults comparisonResults) {
    Map<String, Integer> byName = new LinkedHashMap<>();
    numbers().forEach(number -> byName.put(name(number), number));
    return SpeedUpAnalysis.of(comparisonResults, byName, engineCpus());
  }

  @Override
  public List<Finding> overall(List<ComparisonResults> results) {
    List<Finding> findings = new ArrayList<>();
    speedUps(results)
        .forEach(
            (title, speedUpAnalysis) -> {
              for (Finding one : speedUpAnalysis.findings("Kernel and Invoker threads")) {
                findings.add(new Finding(title + ": " + one.name(), one.ratio(), one.note()));
              }
            });
    return findings;
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    Axis x = Axis.logarithmic("Kernel threads, and as many Invoker threads", "");
    List<Figure> figures = new ArrayList<>();
    for (String condition : List.of(SATURATION, OFFERED)) {
      for (Metric metric : List.of(Metric.THROUGHPUT, Metric.P99, Metric.CPU)) {
        String title = metric.name() + " at " + condition;
        figures.add(
            ResultFigures.acrossVariants(title, x, at(condition, results), metric, places()));
      }
    }
    speedUps(results)
        .forEach(
            (title, speedUpAnalysis) ->
                figures.addAll(speedUpAnalysis.figures("Speed-up: " + title, "threads")));
    return figures;
  }
}
