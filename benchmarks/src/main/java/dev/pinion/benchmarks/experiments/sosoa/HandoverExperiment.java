package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment handover}: the cost of accepting connections in the parent. */
@Command(
    name = "handover",
    description = {
      "Time from connecting to the first answer: one replica that listens itself, two that the"
          + " parent hands connections over to, two that share the port.",
      "Then the hand-over itself, by the clock of the engine, from being accepted in the parent to"
          + " being active in a replica (target: 100 µs at the median)."
    },
    mixinStandardHelpOptions = true)
public final class HandoverExperiment extends TestbedCommand {
  private static final Duration APART = Duration.ofMillis(1);

  /**
   * Time of a connection and its first response, including the pause; for the estimate of time
   * only.
   */
  private static final Duration CONNECTION = Duration.ofMillis(1);

  @Option(
      names = "--connections",
      description = "Connections of each round, one after the other (2000; --quick 300).")
  private @Nullable Integer chosenConnections;

  private int connections() {
    return options().chosen(chosenConnections, 2_000, 300);
  }

  @Override
  public String experiment() {
    return "handover";
  }

  @Override
  public String question() {
    return "what handing a connection over costs";
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Time from connecting to the first answer: one replica that listens itself, two that the parent"
            + " hands connections over to, two that share the port.",
        "",
        HardwareRequirement.ANY,
        "cpu is processor time of all processes of the engine for each connection. What handover takes"
            + " longer than direct is what a client notices of it. The second table is by the clock of the"
            + " engine: from being accepted in the parent to being active in a replica (target 100 µs at the"
            + " median).");
  }

  @Override
  public Extent extent() {
    return new Extent(3, 5, CONNECTION.multipliedBy(connections()));
  }

  /** There is no load; the warm-up is one more round. */
  @Override
  public Duration time() {
    return extent().time(Duration.ZERO, Duration.ZERO, rounds() + 1);
  }

  @Override
  public void check(CpuPlacement placement) {
    TestbedOptions.requireRange("--connections", connections(), 1, HandoverVariant.MAX_CONNECTIONS);
  }

  @Override
  public Set<String> unused() {
    return Set.of("--seconds", "--warmup");
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    int connections = connections();
    ServerProcess handing =
        testbed.serve("handover", List.of("--replicas", "2", "--dispatch", "handover"));
    List<ConnectVariant> clients =
        List.of(
            variant(testbed, "direct", List.of("--replicas", "1")),
            new ConnectVariant(handing, connections),
            variant(testbed, "reuseport", List.of("--replicas", "2", "--dispatch", "reuseport")));
    List<HandoverVariant> engines =
        List.of(
            new HandoverVariant("at once", handing, connections, Duration.ZERO),
            new HandoverVariant("1 ms apart", handing, connections, APART));
    String title = connections + " connections a round, one after the other, engine idle";
    return List.of(
        new Comparison(title, clients, "direct"),
        new Comparison(title + "; the hand-over alone", engines, "at once"));
  }

  private ConnectVariant variant(Testbed testbed, String name, List<String> options)
      throws MeasurementException, InterruptedException {
    return new ConnectVariant(testbed.serve(name, options), connections());
  }
}
