package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.DotPlot;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.profile.PipelineStage;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment journal}: the journal on the critical path and off it. */
@Command(
    name = "journal",
    description = "The journal on the path (sync) against off the path (async) and none.",
    mixinStandardHelpOptions = true)
public final class JournalExperiment extends TestbedCommand {
  private static final String ON = "sync";
  private static final String SATURATION = "saturation";

  @Option(
      names = "--workload",
      defaultValue = "sequential",
      description = "The workload (${DEFAULT-VALUE}).")
  private String workload = "";

  @Option(
      names = "--fraction",
      defaultValue = "0.5",
      description = "Rate as a share of what the engine can do with sync (${DEFAULT-VALUE}).")
  private double fraction;

  @Option(
      names = "--clients",
      defaultValue = "64",
      description =
          "Clients at saturation; eight times as many requests may be under way (${DEFAULT-VALUE}).")
  private int clients;

  @Override
  public String experiment() {
    return "journal";
  }

  @Override
  public String question() {
    return "what it gains to take the journal off the critical path";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Throughput at saturation and response times at a rate that all can do: nobody hears of what"
            + " is not on disk (sync, on the path), the journal follows (async, off the path), none.",
        "Lean business tier, Fig. 6 and Tables 6(a), 6(b): I/O off the path took the core"
            + " transaction from 30 to 18 µs and from 33 to 56 K/s.",
        HardwareRequirement.ANY,
        "Off the path an acknowledged instance may be lost in a crash of the machine. The table by stage is"
            + " processor time for each instance, divided by a profile that runs meanwhile. A stage is"
            + " busy with an instance for that and the time until the disk has what it forces, shared"
            + " by all instances that are forced together: 1,000,000 divided by it are the instances/s"
            + " that the stage could do. Time in queues is in the response times only.");
  }

  @Override
  public Extent extent() {
    return Extent.of(3, 10).withWarm(6);
  }

  @Override
  public void check(CpuPlacement placement) {
    Workload.named(workload);
    options().load(clients, placement);
    if (!(fraction > 0 && fraction <= 2)) {
      throw new IllegalArgumentException(
          "expected --fraction above 0 and up to 2, found " + fraction);
    }
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings load = options().load(clients, testbed.placement());
    Map<String, LoadVariant> saturated = new LinkedHashMap<>();
    for (String level : List.of(ON, "async", "none")) {
      saturated.put(level, testbed.durable(level, Workload.named(workload), load));
    }
    LoadVariant on = saturated.values().iterator().next();
    double rate = OfferedRate.share(fraction, OfferedRate.capacity(on));
    LoadSettings open = load.warm().arriving(new Arrivals(Pattern.POISSON, rate), 8 * clients);
    List<LoadVariant> loaded = new ArrayList<>();
    saturated.forEach((level, variant) -> loaded.add(variant.under(level, open).withTail()));
    int seconds = Math.toIntExact(Math.max(1, load.ramp().plus(load.duration()).toSeconds()));
    List<StageProfileVariant> stages = new ArrayList<>();
    saturated.forEach(
        (level, variant) ->
            stages.add(new StageProfileVariant(variant.under(level, load.warm()), seconds)));
    return List.of(
        new Comparison(workload + ", " + SATURATION, List.copyOf(saturated.values()), ON),
        new Comparison(workload + ", " + fraction + " of sync's capacity, Poisson", loaded, ON),
        new Comparison(workload + ", " + SATURATION + ", by stage", stages, ON));
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures =
        new ArrayList<>(
            ResultFigures.sideBySide(
                results.getFirst(), List.of(Metric.THROUGHPUT, Metric.P50, Metric.CPU)));
    figures.add(PercentileFigure.of(results.get(1)));
    figures.add(
        stages(
            results.getLast(),
            "Processor time by stage",
            "processor time",
            StageProfileVariant::cpu));
    figures.add(
        stages(
            results.getLast(),
            "Time that stages are busy with an instance",
            "processor time and disk",
            StageProfileVariant::busy));
    return figures;
  }

  private static Figure stages(
      ComparisonResults comparisonResults,
      String title,
      String time,
      Function<PipelineStage, Metric> metric) {
    List<DotPlot.PlotRow> rows = new ArrayList<>();
    for (PipelineStage stage : StageProfileVariant.STAGES) {
      for (String level : comparisonResults.samples().keySet()) {
        SampleSummary sampleSummary = comparisonResults.summary(level, metric.apply(stage));
        rows.add(
            new DotPlot.PlotRow(
                stage.label() + ", " + level, level, ResultFigures.interval(sampleSummary)));
      }
    }
    return new DotPlot(title, Axis.linear(time, Metric.CPU.unit()), rows);
  }
}
