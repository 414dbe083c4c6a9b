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
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code experiment scaling}: a rising number of thinking clients, for each number of replicas. */
@Command(
    name = "scaling",
    description = "Throughput against thinking clients, for each number of replicas.",
    mixinStandardHelpOptions = true)
public final class ScalingExperiment extends TestbedCommand {
  private static final int MAX_REPLICAS = 64;

  @Mixin private WorkflowsOption patterns = new WorkflowsOption();

  @Option(
      names = "--clients",
      split = ",",
      description = "Numbers of clients (250,1000,2000,4000,8000; --quick 100,400).")
  private @Nullable List<Integer> clients;

  @Option(
      names = "--think",
      paramLabel = "MS",
      defaultValue = "1000",
      description = "Mean think time of a client in ms (${DEFAULT-VALUE}).")
  private int thinkMillis;

  @Option(
      names = "--replicas",
      split = ",",
      description = "Numbers of replicas (1, the caches of the engine's CPUs, and twice as many).")
  private @Nullable List<Integer> replicas;

  @Override
  public String experiment() {
    return "scaling";
  }

  @Override
  public String question() {
    return "how throughput grows with the clients, for each number of replicas";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Throughput against the number of clients that think between requests, for each number of"
            + " replicas that share the same threads and memory.",
        "SOSOA, Fig. 6: throughput grows until the engine is saturated; on machines with several"
            + " caches more with a replica for each.",
        new HardwareRequirement(8, 2),
        "Think times have the paper's distribution: normal, mean 1 s, variance 0.5, cut at 0. Each"
            + " client asks about once a second until the engine is saturated. The mean over the"
            + " workloads, which is what the paper shows, is geometric and taken within rounds.");
  }

  @Override
  public Extent extent() {
    int engines = counts().size();
    int each = engines * workloads().size();
    return Extent.of(engines, each * clients().size()).withWarm(each * (clients().size() - 1));
  }

  private List<Workload> workloads() {
    return patterns.chosen(options());
  }

  private List<Integer> clients() {
    return options().chosen(clients, List.of(250, 1_000, 2_000, 4_000, 8_000), List.of(100, 400));
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    workloads();
    TestbedOptions.requireRange("--think", thinkMillis, 0, 60_000);
    clients().forEach(number -> options().load(number, placement));
    if (replicas != null) {
      replicas.forEach(n -> TestbedOptions.requireRange("--replicas", n, 1, MAX_REPLICAS));
    }
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    Map<Integer, ServerProcess> engines = new LinkedHashMap<>();
    for (int count : counts()) {
      String name = count == 1 ? "1 replica" : count + " replicas";
      ServerProcess engine = testbed.serve(name, List.of("--replicas", Integer.toString(count)));
      testbed.deployWorkloads(engine);
      engines.put(count, engine);
    }
    List<Comparison> comparisons = new ArrayList<>();
    for (Workload workload : workloads()) {
      for (int number : clients()) {
        LoadSettings cold =
            options().load(number, testbed.placement()).thinking(Duration.ofMillis(thinkMillis));
        LoadSettings load = number == clients().getFirst() ? cold : cold.warm();
        List<LoadVariant> variants =
            engines.values().stream().map(engine -> testbed.load(engine, workload, load)).toList();
        String title = workload.id() + ", " + number + " clients thinking " + thinkMillis + " ms";
        comparisons.add(new Comparison(title, variants, variants.getFirst().name()));
      }
    }
    return comparisons;
  }

  private List<Integer> counts() {
    return replicas == null
        ? Stream.of(1, engineCaches(), 2 * engineCaches()).distinct().toList()
        : replicas;
  }

  /** Results of one workload, in the order of the numbers of clients. */
  private List<ComparisonResults> of(int workload, List<ComparisonResults> results) {
    int each = clients().size();
    return results.subList(workload * each, (workload + 1) * each);
  }

  /** Throughput in the mean over workloads, in the order of the numbers of clients. */
  private List<ComparisonResults> means(List<ComparisonResults> results) {
    List<ComparisonResults> means = new ArrayList<>();
    for (int i = 0; i < clients().size(); i++) {
      List<ComparisonResults> alike = new ArrayList<>();
      for (int workload = 0; workload < workloads().size(); workload++) {
        alike.add(of(workload, results).get(i));
      }
      String title = mean() + ", " + clients().get(i) + " clients";
      means.add(GeometricMean.over(title, alike, Metric.THROUGHPUT));
    }
    return means;
  }

  private String mean() {
    return "geometric mean of " + workloads().size() + " workflows";
  }

  @Override
  public List<Finding> overall(List<ComparisonResults> results) {
    if (workloads().size() < 2) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    for (ComparisonResults mean : means(results)) {
      for (String variant : mean.samples().keySet()) {
        if (!variant.equals(mean.baseline())) {
          String note = mean.verdict(variant, Metric.THROUGHPUT).toString();
          mean.ratio(variant, mean.baseline(), Metric.THROUGHPUT)
              .ifPresent(r -> findings.add(new Finding(mean.title() + ", " + variant, r, note)));
        }
      }
    }
    return findings;
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    if (workloads().size() > 1) {
      figures.add(over(mean(), means(results), Metric.THROUGHPUT));
    }
    for (int i = 0; i < workloads().size(); i++) {
      for (Metric metric : List.of(Metric.THROUGHPUT, Metric.P50, Metric.CPU)) {
        figures.add(over(workloads().get(i).id(), of(i, results), metric));
      }
    }
    return figures;
  }

  private Figure over(String of, List<ComparisonResults> results, Metric metric) {
    return ResultFigures.over(
        of + ": " + metric.name(),
        Axis.linear("clients", ""),
        results,
        metric,
        one -> clients().get(results.indexOf(one)));
  }
}
