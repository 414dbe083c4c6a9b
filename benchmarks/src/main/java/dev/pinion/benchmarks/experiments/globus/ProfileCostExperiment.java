package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment profile-cost}: processor time for each instance with and without a profile. */
@Command(
    name = "profile-cost",
    description = "Processor time for each instance while the engine is profiled, and while not.",
    mixinStandardHelpOptions = true)
public final class ProfileCostExperiment extends TestbedCommand {
  private static final String PLAIN = "not profiled";
  private static final String PROFILED = "profiled";
  private static final double TARGET = 1.03;

  /** Approximate time to start a profile and to write its recording. */
  private static final Duration BEGIN_AND_END = Duration.ofMillis(300);

  @Option(
      names = "--workload",
      defaultValue = "sequential",
      description = "The workload (${DEFAULT-VALUE}).")
  private String workload = "";

  @Option(
      names = "--clients",
      defaultValue = "64",
      description = "Clients without think time (${DEFAULT-VALUE}).")
  private int clients;

  @Override
  public String experiment() {
    return "profile-cost";
  }

  @Override
  public String question() {
    return "how much processor time an instance takes more while its engine is profiled";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "One engine under full load, in turn with a profile of its replica and without one.",
        "",
        HardwareRequirement.ANY,
        "cpu is what the engine uses under load, in which the profile begins; \"cpu with begin and"
            + " end\" goes on until its recording is written. Both profiled and not, the flight"
            + " recorder is loaded, which the first profile of a process does once. What profile"
            + " itself uses to read the recording is not in it: that is another process.");
  }

  @Override
  public Extent extent() {
    return new Extent(1, 2, BEGIN_AND_END);
  }

  @Override
  public void check(CpuPlacement placement) {
    Workload.named(workload);
    options().load(clients, placement);
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings settings = options().load(clients, testbed.placement());
    ServerProcess engine = testbed.engine("engine", EngineLayout.FUSED);
    LoadVariant load = testbed.load(engine, Workload.named(workload), settings);
    int seconds = (int) settings.ramp().plus(settings.duration()).toSeconds();
    return List.of(
        new Comparison(
            workload + ", " + clients + (clients == 1 ? " client" : " clients"),
            List.of(
                new ProfiledVariant(engine, load.under(PLAIN, settings), 0),
                new ProfiledVariant(engine, load.under(PROFILED, settings), seconds)),
            PLAIN));
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    return Stream.of(Metric.CPU, ProfiledVariant.WHOLE)
        .flatMap(
            metric ->
                TargetFinding.atMost(
                    metric.name() + ", profiled",
                    comparisonResults.ratios(PROFILED, PLAIN, metric),
                    TARGET))
        .toList();
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (ComparisonResults one : results) {
      figures.addAll(
          ResultFigures.sideBySide(
              one, List.of(Metric.CPU, ProfiledVariant.WHOLE, Metric.THROUGHPUT, Metric.P99)));
    }
    return figures;
  }
}
