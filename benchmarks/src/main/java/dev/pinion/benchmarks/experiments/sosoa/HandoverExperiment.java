package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** {@code experiment handover}: the cost of accepting connections in the parent. */
public final class HandoverExperiment {
  private static final Duration APART = Duration.ofMillis(1);

  /** Time of a connection, its first response and the pause; for the estimate of time only. */
  private static final Duration CONNECTION = Duration.ofMillis(1);

  private static final ExperimentOption<Integer> CONNECTIONS =
      ExperimentOption.of("--connections", 2_000)
          .quick(300)
          .from(1, HandoverVariant.MAX_CONNECTIONS)
          .label("<chosenConnections>")
          .help("Connections of each round, one after the other");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "handover",
              "Time from connecting to the first answer: one replica that listens itself, two that"
                  + " the parent hands connections over to, two that share the port.",
              "Then the hand-over itself, by the clock of the engine, from being accepted in the"
                  + " parent to being active in a replica (target: 100 µs at the median).")
          .question("what handing a connection over costs")
          .shows(
              "Time from connecting to the first answer: one replica that listens itself, two that"
                  + " the parent hands connections over to, two that share the port.")
          .reading(
              "cpu is processor time of all processes of the engine for each connection. What"
                  + " handover takes longer than direct is what a client notices of it. The second"
                  + " table is by the clock of the engine: from being accepted in the parent to"
                  + " being active in a replica (target 100 µs at the median).")
          .options(CONNECTIONS)
          .placement(TestbedOptions::placementOfReplicas)
          .unused("--seconds", "--warmup")
          .time(HandoverExperiment::time)
          .compares(HandoverExperiment::comparisons);

  private HandoverExperiment() {}

  /** There is no load; the warm-up is one more round. */
  private static Duration time(ExperimentRun run) {
    return new Extent(3, 5, CONNECTION.multipliedBy(run.get(CONNECTIONS)))
        .time(Duration.ZERO, Duration.ZERO, run.rounds() + 1);
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    int connections = run.get(CONNECTIONS);
    ServerProcess handing =
        testbed.serve("handover", List.of("--replicas", "2", "--dispatch", "handover"));
    ServerProcess direct = testbed.serve("direct", List.of("--replicas", "1"));
    ServerProcess reuseport =
        testbed.serve("reuseport", List.of("--replicas", "2", "--dispatch", "reuseport"));
    List<ConnectVariant> clients =
        Stream.of(direct, handing, reuseport)
            .map(each -> new ConnectVariant(each, connections))
            .toList();
    List<HandoverVariant> engines =
        List.of(
            new HandoverVariant("at once", handing, connections, Duration.ZERO),
            new HandoverVariant("1 ms apart", handing, connections, APART));
    String title = connections + " connections a round, one after the other, engine idle";
    return List.of(
        new Comparison(title, clients, "direct"),
        new Comparison(title + "; the hand-over alone", engines, "at once"));
  }
}
