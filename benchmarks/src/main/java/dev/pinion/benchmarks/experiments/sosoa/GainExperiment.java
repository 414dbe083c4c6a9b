package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.DotPlot;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ComparisonVerdict;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.GeometricMean;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment gain}: the gain of each configuration for each workflow, and in the mean. */
@Command(
    name = "gain",
    description = "Gain of replicas over one, for each workflow, with geometric means.",
    mixinStandardHelpOptions = true)
public final class GainExperiment extends TestbedCommand {
  private static final String ONE = "one replica";

  /** One workload with little and one with much work for each instance. */
  private static final List<Workload> FEW = List.of(Workload.SEQUENTIAL, Workload.PARALLEL);

  @Option(
      names = "--clients",
      defaultValue = "64",
      description = "Clients without think time (${DEFAULT-VALUE}).")
  private int clients;

  @Override
  public String experiment() {
    return "gain";
  }

  @Override
  public String question() {
    return "what replicas gain over one, for each workflow and in the mean";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Throughput of a replica for each cache, of interleaved replicas and of too many for each"
            + " cache, to that of one replica, for the four workflows and as geometric mean.",
        "SOSOA, Fig. 5 and 7: best with as many replicas as last-level caches (up to about 30 %);"
            + " interleaved ones on M3 fell below one replica in the mean, and four on its two caches"
            + " as well.",
        new HardwareRequirement(8, 2),
        "Where there is one cache, a replica for each is one replica. Means are taken within rounds."
            + " --quick measures two of the workflows.");
  }

  @Override
  public Extent extent() {
    return Extent.of(configurations().size(), configurations().size() * workloads().size());
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    options().load(clients, placement);
  }

  private List<Workload> workloads() {
    return options().chosen(null, Workload.patterns(), FEW);
  }

  private Map<String, List<String>> configurations() {
    Map<String, List<String>> options = new LinkedHashMap<>();
    options.put(ONE, List.of("--replicas", "1"));
    options.put("one for each cache", List.of("--replicas", "auto"));
    options.put("interleaved", List.of("--replicas", "interleaved"));
    options.put("too many", List.of("--replicas", Integer.toString(2 * engineCaches())));
    return options;
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings load = options().load(clients, testbed.placement());
    List<ServerProcess> engines = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : configurations().entrySet()) {
      ServerProcess engine = testbed.serve(each.getKey(), each.getValue());
      testbed.deployWorkloads(engine);
      engines.add(engine);
    }
    List<Comparison> comparisons = new ArrayList<>();
    for (Workload workload : workloads()) {
      List<LoadVariant> variants =
          engines.stream().map(engine -> testbed.load(engine, workload, load)).toList();
      comparisons.add(new Comparison(workload.id(), variants, ONE));
    }
    return comparisons;
  }

  @Override
  public List<Finding> overall(List<ComparisonResults> results) {
    ComparisonResults mean = mean(results);
    List<Finding> findings = new ArrayList<>();
    for (String variant : others(mean)) {
      String name = mean.title() + ", " + variant;
      mean.ratio(variant, ONE, Metric.THROUGHPUT)
          .ifPresent(gain -> findings.add(new Finding(name, gain, note(gain, mean.rounds()))));
    }
    return findings;
  }

  private static String note(SampleSummary gain, int rounds) {
    if (rounds < ComparisonVerdict.LEAST_ROUNDS) {
      return ComparisonVerdict.TOO_FEW_ROUNDS.toString();
    }
    return gain.min() <= 1 && gain.max() >= 1 ? "not distinguishable here from one replica" : "";
  }

  private static ComparisonResults mean(List<ComparisonResults> results) {
    String title = "geometric mean of " + results.size() + " workflows";
    return GeometricMean.over(title, results, Metric.THROUGHPUT);
  }

  private static List<String> others(ComparisonResults comparisonResults) {
    return comparisonResults.samples().keySet().stream()
        .filter(variant -> !variant.equals(ONE))
        .toList();
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<ComparisonResults> all = new ArrayList<>(results);
    all.add(mean(results));
    List<DotPlot.PlotRow> rows = new ArrayList<>();
    for (String variant : others(results.getFirst())) {
      for (ComparisonResults one : all) {
        one.ratio(variant, ONE, Metric.THROUGHPUT)
            .ifPresent(ratio -> rows.add(row(one.title() + ", " + variant, variant, ratio)));
      }
    }
    Axis axis = Axis.linear("throughput to that of one replica", "");
    return List.of(new DotPlot("Gain over one replica", axis, rows));
  }

  private static DotPlot.PlotRow row(String label, String variant, SampleSummary ratio) {
    return new DotPlot.PlotRow(label, variant, ResultFigures.interval(ratio));
  }
}
