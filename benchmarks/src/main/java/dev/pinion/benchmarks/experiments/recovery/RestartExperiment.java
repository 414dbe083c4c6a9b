package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiments.LayoutChoice;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment restart}: time until an engine serves again, and until it has ended. */
@Command(
    name = "restart",
    description = {
      "Kills the replica of an engine under load, then the parent, --repeat times in each layout.",
      "resumed: from the kill of the replica to the first right answer (target 3 s). gone: from"
          + " the kill of the parent until no process of the engine runs (target 1 s)."
    },
    mixinStandardHelpOptions = true)
public final class RestartExperiment extends TestbedCommand {
  @Option(
      names = "--clients",
      defaultValue = "16",
      description = "Clients of the load under which the replica dies (${DEFAULT-VALUE}).")
  private int clients;

  @Option(names = "--layout", description = "${COMPLETION-CANDIDATES} (both; --quick fused).")
  private @Nullable LayoutChoice layout;

  private List<EngineLayout> layouts() {
    return options().chosen(layout, LayoutChoice.both, LayoutChoice.fused).layouts();
  }

  @Override
  public String experiment() {
    return "restart";
  }

  @Override
  public String question() {
    return "how soon an engine serves again after its replica was killed, and how soon nothing of"
        + " it is left after its parent was";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "How soon an engine serves again after its replica was killed, and is gone after its parent was.",
        "",
        HardwareRequirement.ANY,
        "resumed: from the kill of the replica to the first right answer (target 3 s). gone: from the kill"
            + " of the parent until no process of the engine runs (target 1 s). cpu and errors are those of the"
            + " load before the kill.");
  }

  @Override
  public Extent extent() {
    int each = layouts().size();
    return new Extent(0, each, Duration.ofSeconds(8)).withWarm(each);
  }

  @Override
  public void check(CpuPlacement placement) {
    options().load(clients, placement);
  }

  @Override
  public Set<String> unused() {
    return Set.of("--warmup");
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed) {
    LoadSettings load = options().load(clients, testbed.placement());
    List<EngineLayout> layouts = layouts();
    List<RestartVariant> variants =
        layouts.stream().map(each -> new RestartVariant(each, testbed, load)).toList();
    String title = "sequential, " + clients + " clients, killed after a load of --seconds";
    return List.of(new Comparison(title, variants, layouts.getFirst().variant()));
  }
}
