package dev.pinion.benchmarks.experiments.hostile;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.LayoutChoice;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment hostile}: a good client with and without hostile requests beside it. */
@Command(
    name = "hostile",
    description = {
      "What a good client suffers from malformed, huge, deep, slow and endless requests beside it.",
      "Exit code 1 when the good client saw an error or a hostile answer was a 5xx other than 503."
    },
    mixinStandardHelpOptions = true)
public final class HostileExperiment extends TestbedCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration ABANDON_AFTER = Duration.ofMillis(500);
  private static final int MAX_REQUESTS = 1_000_000;

  @Option(
      names = "--clients",
      defaultValue = "4",
      description = "Good clients; too few to fill the engine (${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--think",
      paramLabel = "MS",
      defaultValue = "2",
      description = "Mean think time of a good client in ms (${DEFAULT-VALUE}).")
  private int thinkMillis;

  @Option(
      names = "--requests",
      defaultValue = "2000",
      description =
          "Hostile requests for each layout, spread over all rounds; rounded up to a multiple of"
              + " the rounds (${DEFAULT-VALUE}).")
  private int requests;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "What the order of hostile requests depends on (${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--layout", description = "${COMPLETION-CANDIDATES} (both; --quick fused).")
  private @Nullable LayoutChoice layout;

  private List<EngineLayout> layouts() {
    return options().chosen(layout, LayoutChoice.both, LayoutChoice.fused).layouts();
  }

  @Override
  public String experiment() {
    return "hostile";
  }

  @Override
  public String question() {
    return "what a good client suffers from hostile requests beside it";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "What a good client suffers from malformed, deep, huge, endless and slow requests beside it.",
        "",
        HardwareRequirement.ANY,
        "Findings put p99 and memory, hostile to calm, beside their targets of 2 and 1.10.");
  }

  @Override
  public Extent extent() {
    return Extent.of(2 * layouts().size(), 2 * layouts().size());
  }

  @Override
  public void check(CpuPlacement placement) {
    TestbedOptions.requireRange("--requests", requests, 1, MAX_REQUESTS);
    TestbedOptions.requireRange("--think", thinkMillis, 0, 60_000);
    options().load(clients, placement);
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<Comparison> comparisons = new ArrayList<>();
    for (EngineLayout each : layouts()) {
      comparisons.add(comparison(testbed, each));
    }
    return comparisons;
  }

  private Comparison comparison(Testbed testbed, EngineLayout each)
      throws MeasurementException, InterruptedException {
    int perRound = Math.ceilDiv(requests, options().rounds());
    List<HostileVariant> variants =
        List.of(
            variant(testbed, each, HostileFindings.CALM, 0),
            variant(testbed, each, HostileFindings.HOSTILE, perRound));
    String title =
        String.format(
            Locale.ROOT,
            "%s, %d clients thinking %d ms, %d hostile requests a round, seed %d",
            each.variant(),
            clients,
            thinkMillis,
            perRound,
            seed);
    return new Comparison(title, variants, HostileFindings.CALM);
  }

  /** Each variant has a separate engine: memory taken by one does not show in the other. */
  private HostileVariant variant(Testbed testbed, EngineLayout each, String name, int perRound)
      throws MeasurementException, InterruptedException {
    LoadSettings load =
        options().load(clients, testbed.placement()).thinking(Duration.ofMillis(thinkMillis));
    ServerProcess engine = testbed.engine(each.variant() + "-" + name, each);
    for (HostileDefinition definition : HostileDefinition.values()) {
      testbed.deploy(engine, definition.id(), definition.document());
    }
    return new HostileVariant(
        name,
        engine,
        testbed.load(engine, Workload.SEQUENTIAL, load),
        new HostileClient(engine.uri(), seed, PATIENCE, ABANDON_AFTER),
        perRound,
        load);
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    return HostileFindings.of(comparisonResults);
  }
}
