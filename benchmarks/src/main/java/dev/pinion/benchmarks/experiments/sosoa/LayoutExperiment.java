package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment layout}: fused against pipelined, over workloads and numbers of clients. */
@Command(
    name = "layout",
    description = "Fused against pipelined: what self-configuration should choose on these CPUs.",
    mixinStandardHelpOptions = true)
public final class LayoutExperiment extends TestbedCommand {
  @Option(
      names = "--workload",
      split = ",",
      description = "Workloads, separated by commas (sequential,parallel; --quick sequential).")
  private @Nullable List<String> workloads;

  @Option(
      names = "--clients",
      split = ",",
      description = "Numbers of clients, separated by commas (1,16,64; --quick 1,64).")
  private @Nullable List<Integer> clients;

  private List<String> workloads() {
    return options().chosen(workloads, List.of("sequential", "parallel"), List.of("sequential"));
  }

  private List<Integer> clients() {
    return options().chosen(clients, List.of(1, 16, 64), List.of(1, 64));
  }

  @Override
  public String experiment() {
    return "layout";
  }

  @Override
  public String question() {
    return "which layout serves more on these CPUs, fused or pipelined";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Throughput with all stages of an instance on one event loop, and with a loop for each stage.",
        "The pipelined layout is that of the SOSOA paper (Fig. 1).",
        new HardwareRequirement(4, 1),
        "Where stages have no CPU each, the pipelined layout shares them, which costs hand-overs and gains nothing.");
  }

  @Override
  public Extent extent() {
    int each = 2 * workloads().size();
    return Extent.of(2, each * clients().size()).withWarm(each * (clients().size() - 1));
  }

  @Override
  public void check(CpuPlacement placement) {
    workloads().forEach(Workload::named);
    clients().forEach(number -> options().load(number, placement));
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<Comparison> comparisons = new ArrayList<>();
    for (String workload : workloads()) {
      for (int number : clients()) {
        LoadSettings cold = options().load(number, testbed.placement());
        LoadSettings load = number == clients().getFirst() ? cold : cold.warm();
        comparisons.add(
            new Comparison(
                workload + ", " + number + (number == 1 ? " client" : " clients"),
                List.of(
                    testbed.engine(EngineLayout.FUSED, Workload.named(workload), load),
                    testbed.engine(EngineLayout.PIPELINED, Workload.named(workload), load)),
                EngineLayout.FUSED.variant()));
      }
    }
    return comparisons;
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < workloads().size(); i++) {
      List<ComparisonResults> some =
          results.subList(i * clients().size(), (i + 1) * clients().size());
      for (Metric metric : List.of(Metric.THROUGHPUT, Metric.P99)) {
        figures.add(
            ResultFigures.over(
                workloads().get(i) + ": " + metric.name(),
                Axis.logarithmic("clients", ""),
                some,
                metric,
                one -> clients().get(some.indexOf(one))));
      }
    }
    return figures;
  }
}
