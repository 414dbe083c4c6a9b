package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** {@code experiment profile-cost}: processor time for each instance with and without a profile. */
public final class ProfileCostExperiment {
  private static final String PLAIN = "not profiled";
  private static final String PROFILED = "profiled";
  private static final double TARGET = 1.03;

  /** Approximate time to start a profile and to write its recording. */
  private static final Duration BEGIN_AND_END = Duration.ofMillis(300);

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "profile-cost",
              "Processor time for each instance while the engine is profiled, and while not.")
          .question("how much processor time an instance takes more while its engine is profiled")
          .shows(
              "One engine under full load, in turn with a profile of its replica and without"
                  + " one.")
          .reading(
              "cpu is what the engine uses under load, in which the profile begins; \"cpu with"
                  + " begin and end\" goes on until its recording is written. Both profiled and"
                  + " not, the flight recorder is loaded, which the first profile of a process does"
                  + " once. What profile itself uses to read the recording is not in it: that is"
                  + " another process.")
          .options(CommonOptions.WORKLOAD, CommonOptions.CLIENTS)
          .extent(run -> new Extent(1, 2, BEGIN_AND_END))
          .compares((run, testbed) -> List.of(comparison(run, testbed)))
          .findings((run, one) -> findings(one))
          .figures(Metric.CPU, ProfiledVariant.WHOLE, Metric.THROUGHPUT, Metric.P99);

  private ProfileCostExperiment() {}

  private static Comparison comparison(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    int clients = run.get(CommonOptions.CLIENTS);
    LoadSettings settings = run.load(clients);
    ServerProcess engine = testbed.engine("engine", EngineLayout.FUSED);
    Workload workload = CommonOptions.workload(run);
    LoadVariant load = testbed.load(engine, workload, settings);
    int seconds = (int) settings.times().ramp().plus(settings.times().duration()).toSeconds();
    return new Comparison(
        workload.id() + ", " + CommonOptions.inWords(clients),
        List.of(
            new ProfiledVariant(engine, load.under(PLAIN, settings), 0),
            new ProfiledVariant(engine, load.under(PROFILED, settings), seconds)),
        PLAIN);
  }

  private static Stream<Finding> findings(ComparisonResults one) {
    return Stream.of(Metric.CPU, ProfiledVariant.WHOLE)
        .flatMap(
            metric ->
                TargetFinding.atMost(
                    metric.name() + ", profiled", one.ratios(PROFILED, PLAIN, metric), TARGET));
  }
}
