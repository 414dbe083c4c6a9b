package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import java.time.Duration;
import java.util.List;

/** {@code experiment restart}: time until an engine serves again, and until it has ended. */
public final class RestartExperiment {
  private static final Duration KILLS = Duration.ofSeconds(8);

  private static final ExperimentOption<Integer> CLIENTS =
      CommonOptions.clients(16, "Clients of the load under which the replica dies");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "restart",
              "Kills the replica of an engine under load, then the parent, --repeat times in"
                  + " each layout.",
              "resumed: from the kill of the replica to the first right answer (target 3 s)."
                  + " gone: from the kill of the parent until no process of the engine runs (target"
                  + " 1 s).")
          .question(
              "how soon an engine serves again after its replica was killed, and how soon"
                  + " nothing of it is left after its parent was")
          .shows(
              "How soon an engine serves again after its replica was killed, and is gone after"
                  + " its parent was.")
          .reading(
              "resumed: from the kill of the replica to the first right answer (target 3 s)."
                  + " gone: from the kill of the parent until no process of the engine runs (target"
                  + " 1 s). cpu and errors are those of the load before the kill.")
          .options(CLIENTS, CommonOptions.LAYOUT)
          .unused("--warmup")
          .extent(RestartExperiment::extent)
          .compares(RestartExperiment::comparisons);

  private RestartExperiment() {}

  private static Extent extent(ExperimentRun run) {
    int each = CommonOptions.layouts(run).size();
    return new Extent(0, each, KILLS).withWarm(each);
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed) {
    int clients = run.get(CLIENTS);
    LoadSettings load = run.load(clients);
    List<EngineLayout> layouts = CommonOptions.layouts(run);
    List<RestartVariant> variants =
        layouts.stream().map(each -> new RestartVariant(each, testbed, load)).toList();
    String title = "sequential, " + clients + " clients, killed after a load of --seconds";
    return List.of(new Comparison(title, variants, layouts.getFirst().variant()));
  }
}
