package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bare.CallPattern;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.LayoutChoice;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.benchmarks.testbed.YardstickFindings;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;

/** {@code bench}: the engine under one workload, and optionally the yardstick. */
public final class BenchExperiment {
  private static final ExperimentOption<String> WORKLOAD =
      ExperimentOption.parameter("WORKLOAD")
          .checked(Workload::named)
          .says("sequential, for-each, parallel, loop or trip-planner.");

  private static final ExperimentOption<Integer> CLIENTS =
      CommonOptions.clients(64, "Clients that wait for their answer before they ask again");

  private static final ExperimentOption<LayoutChoice> LAYOUT =
      ExperimentOption.of("--layout", LayoutChoice.both).help("${COMPLETION-CANDIDATES}");

  private static final ExperimentOption<Boolean> YARDSTICK =
      ExperimentOption.toggle("--yardstick")
          .says("Measure the bare exchange and an echo in the same rounds.");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "bench",
              "Measures the engine under a workload, in one layout or both, with the stub and"
                  + " the load on other CPUs.",
              "Exit code 0 when every answer was right and every call accounted for, 1 when"
                  + " not, 2 for wrong arguments.")
          .shows(
              "What the engine reaches in each layout; with --yardstick, beside the least that"
                  + " any engine has to do for the same messages.")
          .question(
              run ->
                  "what the engine reaches under "
                      + run.get(WORKLOAD)
                      + " with "
                      + run.get(CLIENTS)
                      + " clients")
          .options(WORKLOAD, CLIENTS, LAYOUT, YARDSTICK)
          .extent(run -> Extent.each(layouts(run).size() + (run.get(YARDSTICK) ? 2 : 0)))
          .check(BenchExperiment::check)
          .compares((run, testbed) -> List.of(comparison(run, testbed)))
          .findings((run, one) -> YardstickFindings.of(one).stream());

  private BenchExperiment() {}

  private static List<EngineLayout> layouts(ExperimentRun run) {
    return run.get(LAYOUT).layouts();
  }

  private static void check(ExperimentRun run) {
    if (run.get(YARDSTICK)) {
      CallPattern.named(run.get(WORKLOAD));
    }
  }

  private static Comparison comparison(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    Workload workload = Workload.named(run.get(WORKLOAD));
    LoadSettings load = run.load(run.get(CLIENTS));
    List<LoadVariant> variants = new ArrayList<>();
    for (EngineLayout each : layouts(run)) {
      variants.add(testbed.engine(each, workload, load));
    }
    if (run.get(YARDSTICK)) {
      variants.add(testbed.bare(CallPattern.named(workload.id()), load));
      variants.add(testbed.echo(workload, load));
    }
    String baseline = run.get(YARDSTICK) ? YardstickFindings.BARE : variants.getFirst().name();
    return new Comparison(workload.id() + ", " + run.get(CLIENTS) + " clients", variants, baseline);
  }
}
