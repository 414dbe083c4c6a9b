package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.CpuPlacement;
import dev.pinion.benchmarks.bench.LoadSettings;
import dev.pinion.benchmarks.bench.LoadVariant;
import dev.pinion.benchmarks.bench.ServedProcess;
import dev.pinion.benchmarks.bench.Testbed;
import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.Description;
import dev.pinion.benchmarks.experiment.Description.Extent;
import dev.pinion.benchmarks.experiment.Hardware;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.ResultFigures;
import dev.pinion.benchmarks.experiment.Results;
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
import picocli.CommandLine.Option;

/** {@code experiment scaling}: ever more thinking clients, for each number of replicas. */
@Command(
    name = "scaling",
    description = "Throughput against thinking clients, for each number of replicas.",
    mixinStandardHelpOptions = true)
public final class ScalingExperiment extends TestbedCommand {
  private static final int MAX_REPLICAS = 64;

  @Option(
      names = "--workload",
      defaultValue = "sequential",
      description = "The workload (${DEFAULT-VALUE}).")
  private String workload = "";

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
  String experiment() {
    return "scaling";
  }

  @Override
  String question() {
    return "how throughput grows with the clients, for each number of replicas";
  }

  @Override
  public Description description() {
    return new Description(
        "Throughput against the number of clients that think between requests, for each number of"
            + " replicas that share the same threads and memory.",
        "SOSOA, Fig. 6: throughput grows until the engine is saturated; on machines with several"
            + " caches more with a replica for each.",
        new Hardware(8, 2),
        "Think times have the paper's distribution: normal, mean 1 s, variance 0.5, cut at 0. Each"
            + " client asks about once a second until the engine is saturated.");
  }

  @Override
  Extent extent() {
    int engines = counts().size();
    return Extent.of(engines, engines * clients().size())
        .withWarm(engines * (clients().size() - 1));
  }

  private List<Integer> clients() {
    return options().chosen(clients, List.of(250, 1_000, 2_000, 4_000, 8_000), List.of(100, 400));
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  void check(CpuPlacement placement) {
    Workload.named(workload);
    HarnessOptions.requireRange("--think", thinkMillis, 0, 60_000);
    clients().forEach(number -> options().load(number, placement));
    if (replicas != null) {
      replicas.forEach(n -> HarnessOptions.requireRange("--replicas", n, 1, MAX_REPLICAS));
    }
  }

  @Override
  List<Comparison> comparisons(Testbed testbed) throws MeasurementException, InterruptedException {
    Map<Integer, ServedProcess> engines = new LinkedHashMap<>();
    for (int count : counts()) {
      String name = count == 1 ? "1 replica" : count + " replicas";
      ServedProcess engine = testbed.serve(name, List.of("--replicas", Integer.toString(count)));
      testbed.deployWorkloads(engine);
      engines.put(count, engine);
    }
    List<Comparison> comparisons = new ArrayList<>();
    for (int number : clients()) {
      LoadSettings cold =
          options().load(number, testbed.placement()).thinking(Duration.ofMillis(thinkMillis));
      LoadSettings load = comparisons.isEmpty() ? cold : cold.warm();
      List<LoadVariant> variants =
          engines.values().stream()
              .map(engine -> testbed.load(engine, Workload.named(workload), load))
              .toList();
      String title = workload + ", " + number + " clients thinking " + thinkMillis + " ms";
      comparisons.add(new Comparison(title, variants, variants.getFirst().name()));
    }
    return comparisons;
  }

  private List<Integer> counts() {
    return replicas == null
        ? Stream.of(1, engineCaches(), 2 * engineCaches()).distinct().toList()
        : replicas;
  }

  @Override
  List<Figure> figures(List<Results> results) {
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : List.of(Metric.THROUGHPUT, Metric.P50, Metric.CPU)) {
      figures.add(
          ResultFigures.over(
              workload + ": " + metric.name(),
              Axis.linear("clients", ""),
              results,
              metric,
              one -> clients().get(results.indexOf(one))));
    }
    return figures;
  }
}
