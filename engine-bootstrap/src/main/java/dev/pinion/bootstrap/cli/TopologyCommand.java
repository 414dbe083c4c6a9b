package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.Plan;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.bootstrap.topology.OshiFacts;
import dev.pinion.bootstrap.topology.SysfsProbe;
import dev.pinion.bootstrap.topology.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the machine and the plan for it. */
@Command(
    name = "topology",
    description = "Shows the machine and the replicas planned for it.",
    sortOptions = false)
final class TopologyCommand extends BaseCommand implements Callable<Integer> {
  @ArgGroup(exclusive = false)
  private @Nullable Captured captured;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "auto",
      description = "Replicas to plan: auto (one per last-level cache) or a number.")
  private String replicas = "auto";

  /** A machine captured elsewhere. */
  static final class Captured {
    @Option(
        names = "--sys",
        required = true,
        paramLabel = "ROOT",
        description = "Read a captured machine: the folder that stands for /sys.")
    private Path sys = Path.of("/sys");

    @Option(
        names = "--proc",
        required = true,
        paramLabel = "ROOT",
        description = "The folder that stands for /proc.")
    private Path proc = Path.of("/proc");
  }

  @Override
  public Integer call() throws CommandFailure {
    Topology topology = probe();
    OshiFacts oshi = captured == null ? OshiFacts.read() : null;
    Plan plan = plan(topology);
    List<String> disagreements =
        oshi == null || !MachineProbe.onLinux() ? List.of() : oshi.disagreements(topology);
    String name = oshi == null ? "captured machine" : oshi.cpuName();
    if (json()) {
      ObjectNode node = TopologyJson.of(topology, plan);
      node.put("cpuName", name);
      node.set("crossCheck", Output.JSON.valueToTree(disagreements));
      Output.json(out(), node);
    } else {
      out().print(new TopologyDrawing(topology, plan).draw(name, disagreements));
      out().flush();
    }
    return ExitStatus.OK;
  }

  private Topology probe() throws CommandFailure {
    try {
      return captured == null
          ? MachineProbe.probe()
          : SysfsProbe.probe(new DirectoryTree(captured.sys, captured.proc));
    } catch (IllegalStateException e) {
      throw new CommandFailure(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
    }
  }

  private Plan plan(Topology topology) throws CommandFailure {
    try {
      Integer count = replicas.equals("auto") ? null : Integer.valueOf(replicas);
      return PlacementPlanner.plan(topology, new PlacementSettings(count, null, null, false));
    } catch (NumberFormatException e) {
      throw new CommandFailure(
          ExitStatus.USAGE, "expected auto or a number of replicas, found \"" + replicas + "\"");
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
