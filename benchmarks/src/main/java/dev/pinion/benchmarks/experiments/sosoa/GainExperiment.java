package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.DotPlot;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ComparisonVerdict;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.GeometricMean;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code experiment gain}: the gain of each configuration for each workflow, and in the mean. */
public final class GainExperiment {
  private static final String ONE = "one replica";

  /** One workload with little and one with much work for each instance. */
  private static final List<Workload> FEW = List.of(Workload.SEQUENTIAL, Workload.PARALLEL);

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "gain", "Gain of replicas over one, for each workflow, with geometric means.")
          .question("what replicas gain over one, for each workflow and in the mean")
          .shows(
              "Throughput of a replica for each cache, of interleaved replicas and of too many for"
                  + " each cache, to that of one replica, for the four workflows and as geometric"
                  + " mean.")
          .source(
              "SOSOA, Fig. 5 and 7: best with as many replicas as last-level caches (up to about"
                  + " 30 %); interleaved ones on M3 fell below one replica in the mean, and four on"
                  + " its two caches as well.")
          .needs(8, 2)
          .reading(
              "Where there is one cache, a replica for each is one replica. Means are taken within"
                  + " rounds. --quick measures two of the workflows.")
          .options(CommonOptions.CLIENTS)
          .extent(run -> Extent.of(4, 4 * workloads(run).size()))
          .placement(TestbedOptions::placementOfReplicas)
          .compares(GainExperiment::comparisons)
          .overall((run, all) -> findings(mean(all)))
          .figures((run, all) -> List.of(figure(all)));

  private GainExperiment() {}

  private static List<Workload> workloads(ExperimentRun run) {
    return run.isQuick() ? FEW : Workload.patterns();
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    Map<String, String> replicas = new LinkedHashMap<>();
    replicas.put(ONE, "1");
    replicas.put("one for each cache", "auto");
    replicas.put("interleaved", "interleaved");
    replicas.put("too many", Integer.toString(2 * run.engineCaches()));
    LoadSettings load = run.load(run.get(CommonOptions.CLIENTS));
    List<ServerProcess> engines = new ArrayList<>();
    for (Map.Entry<String, String> each : replicas.entrySet()) {
      engines.add(testbed.replicas(each.getKey(), each.getValue()));
    }
    return workloads(run).stream()
        .map(each -> new Comparison(each.id(), testbed.load(engines, each, load), ONE))
        .toList();
  }

  private static Stream<Finding> findings(ComparisonResults mean) {
    return mean.others().stream()
        .flatMap(
            each ->
                mean.ratio(each, ONE, Metric.THROUGHPUT).stream()
                    .map(
                        gain ->
                            new Finding(
                                mean.title() + ", " + each, gain, note(gain, mean.rounds()))));
  }

  private static String note(SampleSummary gain, int rounds) {
    if (rounds < ComparisonVerdict.LEAST_ROUNDS) {
      return ComparisonVerdict.TOO_FEW_ROUNDS.toString();
    }
    return gain.min() <= 1 && gain.max() >= 1 ? "not distinguishable here from one replica" : "";
  }

  private static ComparisonResults mean(List<ComparisonResults> all) {
    String title = "geometric mean of " + all.size() + " workflows";
    return GeometricMean.over(title, all, Metric.THROUGHPUT);
  }

  private static Figure figure(List<ComparisonResults> all) {
    List<DotPlot.PlotRow> rows = new ArrayList<>();
    for (String variant : all.getFirst().others()) {
      for (ComparisonResults one : Stream.concat(all.stream(), Stream.of(mean(all))).toList()) {
        one.ratio(variant, ONE, Metric.THROUGHPUT)
            .map(ResultFigures::interval)
            .map(ratio -> new DotPlot.PlotRow(one.title() + ", " + variant, variant, ratio))
            .ifPresent(rows::add);
      }
    }
    Axis axis = Axis.linear("throughput to that of one replica", "");
    return new DotPlot("Gain over one replica", axis, rows);
  }
}
