package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.DotPlot;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.chart.Interval;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.profile.PipelineStage;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** {@code experiment journal}: the journal on the critical path and off it. */
public final class JournalExperiment {
  private static final String ON = "sync";
  private static final String SATURATION = "saturation";

  private static final ExperimentOption<Double> FRACTION =
      ExperimentOption.of("--fraction", 0.5)
          .checked(share -> OfferedRate.requireShare("--fraction", share))
          .help("Rate as a share of what the engine can do with sync");

  private static final ExperimentOption<Integer> CLIENTS =
      CommonOptions.clients(
          64, "Clients at saturation; eight times as many requests may be under way");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "journal", "The journal on the path (sync) against off the path (async) and none.")
          .question("what it gains to take the journal off the critical path")
          .shows(
              "Throughput at saturation and response times at a rate that all can do: nobody"
                  + " hears of what is not on disk (sync, on the path), the journal follows (async,"
                  + " off the path), none.")
          .source(
              "Lean business tier, Fig. 6 and Tables 6(a), 6(b): I/O off the path took the core"
                  + " transaction from 30 to 18 µs and from 33 to 56 K/s.")
          .reading(
              "Off the path an acknowledged instance may be lost in a crash of the machine. The"
                  + " table by stage is processor time for each instance, divided by a profile that"
                  + " runs meanwhile. A stage is busy with an instance for that and the time until"
                  + " the disk has what it forces, shared by all instances that are forced"
                  + " together: 1,000,000 divided by it are the instances/s that the stage could"
                  + " do. Time in queues is in the response times only.")
          .options(CommonOptions.WORKLOAD, FRACTION, CLIENTS)
          .extent(run -> Extent.of(3, 10).withWarm(6))
          .compares(JournalExperiment::comparisons)
          .figures((run, all) -> figures(all));

  private JournalExperiment() {}

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    Workload workload = CommonOptions.workload(run);
    int clients = run.get(CLIENTS);
    LoadSettings load = run.load(clients);
    List<LoadVariant> saturated = new ArrayList<>();
    for (String level : List.of(ON, "async", "none")) {
      saturated.add(testbed.durable(level, workload, load));
    }
    double capacity = OfferedRate.capacity(saturated.getFirst());
    double rate = OfferedRate.share(run.get(FRACTION), capacity);
    LoadSettings open = load.warm().arriving(new Arrivals(Pattern.POISSON, rate), 8 * clients);
    int seconds =
        Math.toIntExact(Math.max(1, load.times().ramp().plus(load.times().duration()).toSeconds()));
    List<LoadVariant> loaded =
        saturated.stream().map(each -> each.under(each.name(), open).withTail()).toList();
    List<StageProfileVariant> stages =
        saturated.stream()
            .map(each -> new StageProfileVariant(each.under(each.name(), load.warm()), seconds))
            .toList();
    String title = workload.id() + ", ";
    return List.of(
        new Comparison(title + SATURATION, saturated, ON),
        new Comparison(title + run.get(FRACTION) + " of sync's capacity, Poisson", loaded, ON),
        new Comparison(title + SATURATION + ", by stage", stages, ON));
  }

  private static List<Figure> figures(List<ComparisonResults> all) {
    List<Figure> figures =
        new ArrayList<>(
            ResultFigures.sideBySide(all.subList(0, 1), Metric.THROUGHPUT, Metric.P50, Metric.CPU));
    figures.add(PercentileFigure.of(all.get(1)));
    figures.add(
        stages(
            all.getLast(), "Processor time by stage", "processor time", StageProfileVariant::cpu));
    figures.add(
        stages(
            all.getLast(),
            "Time that stages are busy with an instance",
            "processor time and disk",
            StageProfileVariant::busy));
    return figures;
  }

  private static Figure stages(
      ComparisonResults one, String title, String time, Function<PipelineStage, Metric> metric) {
    List<DotPlot.PlotRow> rows = new ArrayList<>();
    for (PipelineStage stage : StageProfileVariant.STAGES) {
      for (String level : one.samples().keySet()) {
        Interval value = ResultFigures.interval(one.summary(level, metric.apply(stage)));
        rows.add(new DotPlot.PlotRow(stage.label() + ", " + level, level, value));
      }
    }
    return new DotPlot(title, Axis.linear(time, Metric.CPU.unit()), rows);
  }
}
