package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bare.CallPattern;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.LayoutChoice;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.benchmarks.testbed.YardstickFindings;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench}: the engine under one workload, and optionally the yardstick. */
@Command(
    name = "bench",
    description = {
      "Measures the engine under a workload, in one layout or both, with the stub and the load on"
          + " other CPUs.",
      "Exit code 0 when every answer was right and every call accounted for, 1 when not, 2 for"
          + " wrong arguments."
    },
    mixinStandardHelpOptions = true)
public final class BenchCommand extends TestbedCommand {
  @Parameters(
      paramLabel = "WORKLOAD",
      description = "sequential, for-each, parallel, loop or trip-planner.")
  private String workload = "";

  @Option(
      names = "--clients",
      defaultValue = "64",
      description = "Clients that wait for their answer before they ask again (${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--layout",
      defaultValue = "both",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private LayoutChoice layout = LayoutChoice.both;

  @Option(
      names = "--yardstick",
      description = "Measure the bare exchange and an echo in the same rounds.")
  private boolean yardstick;

  @Override
  public String experiment() {
    return "bench";
  }

  @Override
  public String question() {
    return "what the engine reaches under " + workload + " with " + clients + " clients";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "What the engine reaches in each layout; with --yardstick, beside the least that any engine has"
            + " to do for the same messages.",
        "",
        HardwareRequirement.ANY,
        "");
  }

  @Override
  public Extent extent() {
    return Extent.of(
        layout.layouts().size() + (yardstick ? 2 : 0),
        layout.layouts().size() + (yardstick ? 2 : 0));
  }

  @Override
  public void check(CpuPlacement placement) {
    Workload.named(workload);
    options().load(clients, placement);
    if (yardstick) {
      CallPattern.named(workload);
    }
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings load = options().load(clients, testbed.placement());
    Workload chosen = Workload.named(workload);
    List<LoadVariant> variants = new ArrayList<>();
    for (EngineLayout each : layout.layouts()) {
      variants.add(testbed.engine(each, chosen, load));
    }
    if (yardstick) {
      variants.add(testbed.bare(CallPattern.named(workload), load));
      variants.add(testbed.echo(chosen, load));
    }
    String baseline = yardstick ? YardstickFindings.BARE : variants.getFirst().name();
    String title = workload + ", " + clients + " clients";
    return List.of(new Comparison(title, variants, baseline));
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    return YardstickFindings.of(comparisonResults);
  }
}
