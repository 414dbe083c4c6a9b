package dev.pinion.bootstrap.cli.topology;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.ProbeTime;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.settings.PlacementKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.settings.SettingOptions;
import dev.pinion.bootstrap.settings.SettingsException;
import dev.pinion.bootstrap.settings.SettingsLoader;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.bootstrap.topology.OshiFacts;
import dev.pinion.bootstrap.topology.SysfsProbe;
import dev.pinion.bootstrap.topology.Topology;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Shows the machine and the plan for it. */
@Command(
    name = "topology",
    description = "Shows the machine and the replicas planned for it.",
    sortOptions = false)
public final class TopologyCommand extends BaseCommand implements Callable<Integer> {
  @ArgGroup(exclusive = false)
  private @Nullable CapturedMachineOptions capturedMachineOptions;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw into a file in SVG instead of printing text.")
  private @Nullable Path svg;

  @Option(
      names = "--timing",
      description = "Say on standard error how long reading the machine took.")
  private boolean timing;

  private TopologyCommand() {}

  /** The command with those settings of {@code serve} on which a plan depends. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new TopologyCommand());
    SettingOptions.add(line.getCommandSpec(), PlacementKey.all());
    return line;
  }

  /** A machine captured on another host. */
  static final class CapturedMachineOptions {
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
  public Integer call() throws CommandException {
    Topology topology = probe();
    PlacementPlan placementPlan = plan(topology);
    OshiFacts oshi = capturedMachineOptions == null ? OshiFacts.read() : null;
    List<String> disagreements =
        oshi == null || !MachineProbe.onLinux() ? List.of() : oshi.disagreements(topology);
    String name = oshi == null ? "captured machine" : oshi.cpuName();
    if (svg != null) {
      write(svg, new TopologySvg(topology, placementPlan, name).draw());
    }
    if (json()) {
      ObjectNode node = TopologyJson.of(topology, placementPlan);
      node.put("cpuName", name);
      node.set("crossCheck", CommandOutput.JSON.valueToTree(disagreements));
      CommandOutput.json(out(), node);
    } else if (svg == null) {
      out().print(new TopologyText(topology, placementPlan, coloured()).draw(name, disagreements));
      out().flush();
    }
    return ExitStatus.OK;
  }

  /** Colours are for terminals only, and not for people who opt out (https://no-color.org). */
  private static boolean coloured() {
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)
        && System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
  }

  private static void write(Path file, String text) throws CommandException {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.FAILURE,
          "expected a file that can be written (--svg), found that %s cannot: %s"
              .formatted(file, e.getClass().getSimpleName()));
    }
  }

  private Topology probe() throws CommandException {
    try {
      ProbeTime.TimedResult<Topology> reading = ProbeTime.of(this::read);
      if (timing) {
        err().println(reading.time());
      }
      return reading.value();
    } catch (IllegalStateException e) {
      throw new CommandException(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
    }
  }

  private Topology read() {
    return capturedMachineOptions == null
        ? MachineProbe.probe()
        : SysfsProbe.probe(
            new DirectoryTree(capturedMachineOptions.sys, capturedMachineOptions.proc));
  }

  private PlacementPlan plan(Topology topology) throws CommandException {
    ParseResult parsed = parsed();
    Map<String, String> environment = new HashMap<>();
    for (SettingKey<?> settingKey : PlacementKey.all()) {
      String value = System.getenv(settingKey.variable());
      if (value != null) {
        environment.put(settingKey.variable(), value);
      }
    }
    Map<SettingKey<?>, String> options = new HashMap<>();
    options.putAll(SettingOptions.values(parsed, PlacementKey.all()));
    options.put(SettingKey.DATA, "."); // a plan needs no data
    try {
      return PlacementPlanner.plan(
          topology, SettingsLoader.load(options, environment, null).placement());
    } catch (SettingsException e) {
      throw new CommandException(ExitStatus.USAGE, String.join("; ", e.problems()));
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
