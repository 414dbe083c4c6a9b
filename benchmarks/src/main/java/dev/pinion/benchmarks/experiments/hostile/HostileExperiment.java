package dev.pinion.benchmarks.experiments.hostile;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code experiment hostile}: a good client with and without hostile requests beside it. */
public final class HostileExperiment {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration ABANDON_AFTER = Duration.ofMillis(500);

  private static final ExperimentOption<Integer> CLIENTS =
      CommonOptions.clients(4, "Good clients; too few to fill the engine");

  private static final ExperimentOption<Integer> THINK =
      CommonOptions.think(2, "Mean think time of a good client in ms");

  private static final ExperimentOption<Integer> REQUESTS =
      ExperimentOption.of("--requests", 2_000)
          .from(1, 1_000_000)
          .help(
              "Hostile requests for each layout, spread over all rounds; rounded up to a multiple"
                  + " of the rounds");

  private static final ExperimentOption<Long> SEED =
      ExperimentOption.of("--seed", 1L).help("What the order of hostile requests depends on");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "hostile",
              "What a good client suffers from malformed, huge, deep, slow and endless requests"
                  + " beside it.",
              "Exit code 1 when the good client saw an error or a hostile answer was a 5xx"
                  + " other than 503.")
          .question("what a good client suffers from hostile requests beside it")
          .shows(
              "What a good client suffers from malformed, deep, huge, endless and slow requests"
                  + " beside it.")
          .reading(
              "Findings put p99 and memory, hostile to calm, beside their targets of 2 and"
                  + " 1.10.")
          .options(CLIENTS, THINK, REQUESTS, SEED, CommonOptions.LAYOUT)
          .extent(run -> Extent.each(2 * CommonOptions.layouts(run).size()))
          .compares(HostileExperiment::comparisons)
          .findings((run, one) -> HostileFindings.of(one).stream());

  private HostileExperiment() {}

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    int perRound = Math.ceilDiv(run.get(REQUESTS), run.rounds());
    List<Comparison> comparisons = new ArrayList<>();
    for (EngineLayout each : CommonOptions.layouts(run)) {
      List<HostileVariant> variants =
          List.of(
              variant(run, testbed, each, HostileFindings.CALM, 0),
              variant(run, testbed, each, HostileFindings.HOSTILE, perRound));
      String title =
          String.format(
              Locale.ROOT,
              "%s, %d clients thinking %d ms, %d hostile requests a round, seed %d",
              each.variant(),
              run.get(CLIENTS),
              run.get(THINK),
              perRound,
              run.get(SEED));
      comparisons.add(new Comparison(title, variants, HostileFindings.CALM));
    }
    return comparisons;
  }

  /** Each variant has a separate engine: memory taken by one does not show in the other. */
  private static HostileVariant variant(
      ExperimentRun run, Testbed testbed, EngineLayout each, String name, int perRound)
      throws MeasurementException, InterruptedException {
    LoadSettings load = run.load(run.get(CLIENTS)).thinking(Duration.ofMillis(run.get(THINK)));
    ServerProcess engine = testbed.engine(each.variant() + "-" + name, each);
    for (HostileDefinition definition : HostileDefinition.values()) {
      testbed.deploy(engine, definition.id(), definition.document());
    }
    return new HostileVariant(
        name,
        engine,
        testbed.load(engine, Workload.SEQUENTIAL, load),
        new HostileClient(engine.uri(), run.get(SEED), PATIENCE, ABANDON_AFTER),
        perRound,
        load);
  }
}
