package dev.pinion.bootstrap.serve;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.topology.PlacementPlanJson;
import dev.pinion.bootstrap.cli.topology.PlacementPlanText;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.settings.BrokerKey;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.bootstrap.topology.Topology;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The plan of {@code serve} without starting it: nothing is locked, written or forked. JSON always
 * includes the command lines.
 */
final class DryRun {
  private final EffectiveSettings settings;
  private final boolean json;
  private final boolean commandLines;
  private final PrintWriter out;
  private final List<String> warnings = new ArrayList<>();

  /**
   * A dry run.
   *
   * @param json whether JSON is printed
   * @param commandLines whether text includes the command lines
   */
  DryRun(EffectiveSettings settings, boolean json, boolean commandLines, PrintWriter out) {
    this.settings = settings;
    this.json = json;
    this.commandLines = commandLines;
    this.out = out;
  }

  /** Prints plan and command lines; returns the exit status. */
  int run() throws CommandException {
    Topology topology = MachineProbe.probe();
    PlacementPlan placementPlan = plan(topology);
    CommandLines processes = processes(placementPlan);
    if (json) {
      print(placementPlan, processes);
    } else {
      print(topology, placementPlan, processes);
    }
    return ExitStatus.OK;
  }

  /**
   * Command lines.
   *
   * @param replicas those of replicas, by place
   * @param history that of the history process, or none
   * @param brokers those of the broker and its standby, or none
   */
  private record CommandLines(
      List<List<String>> replicas, List<List<String>> history, List<List<String>> brokers) {}

  private PlacementPlan plan(Topology topology) throws CommandException {
    try {
      return PlacementPlanner.plan(topology, settings.placement());
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private CommandLines processes(PlacementPlan placementPlan) throws CommandException {
    ChildCommandLines commands =
        new ChildCommandLines(settings, ServeProgram.REPLICA_MAIN, this::warn);
    Path crashes = settings.get(SettingKey.DATA).resolve("crash");
    List<List<String>> replicas = new ArrayList<>();
    try {
      for (ReplicaSpec spec : placementPlan.replicas()) {
        replicas.add(commands.of(spec, crashes).words());
      }
    } catch (IOException e) {
      throw new CommandException(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
    }
    List<List<String>> history =
        settings.keepsHistory()
            ? List.of(commands.ofHistory(placementPlan.replicas(), crashes).words())
            : List.of();
    List<List<String>> brokers = new ArrayList<>();
    if (settings.get(BrokerKey.MODE).runs(settings.get(SettingKey.DATA))) {
      for (Path natives : ServeProgram.brokerNatives(settings)) {
        brokers.add(commands.ofBroker(placementPlan.replicas(), crashes, natives).words());
      }
    }
    return new CommandLines(replicas, history, brokers);
  }

  private void warn(String warning) {
    if (!warnings.contains(warning)) {
      warnings.add(warning);
    }
  }

  private void print(PlacementPlan placementPlan, CommandLines processes) {
    ObjectNode root = CommandOutput.JSON.createObjectNode();
    root.set("plan", PlacementPlanJson.of(placementPlan));
    root.set("commands", CommandOutput.JSON.valueToTree(processes.replicas()));
    root.set("historyCommands", CommandOutput.JSON.valueToTree(processes.history()));
    root.set("brokerCommands", CommandOutput.JSON.valueToTree(processes.brokers()));
    root.set("warnings", CommandOutput.JSON.valueToTree(warnings));
    CommandOutput.json(out, root);
  }

  private void print(Topology topology, PlacementPlan placementPlan, CommandLines processes) {
    PlacementPlanText.lines(topology, placementPlan).forEach(out::println);
    placementPlan.decisions().forEach(decision -> out.println("  - " + decision));
    warnings.forEach(warning -> out.println("Warning: " + warning));
    if (commandLines) {
      print("Commands:", processes.replicas());
      print("History:", processes.history());
      print("Broker:", processes.brokers());
    } else {
      out.println("  further processes: " + further(processes));
      out.println("Command lines: --verbose");
    }
    out.flush();
  }

  private static String further(CommandLines processes) {
    List<String> further = new ArrayList<>();
    processes.history().forEach(each -> further.add("history"));
    processes
        .brokers()
        .forEach(each -> further.add(further.contains("broker") ? "standby broker" : "broker"));
    return further.isEmpty() ? "none" : String.join(", ", further);
  }

  private void print(String title, List<List<String>> commands) {
    if (commands.isEmpty()) {
      return;
    }
    out.println();
    out.println(title);
    for (List<String> words : commands) {
      out.println(words.stream().map(DryRun::quoted).collect(Collectors.joining(" ", "  ", "")));
    }
  }

  /** A word quoted for a shell, if necessary. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
