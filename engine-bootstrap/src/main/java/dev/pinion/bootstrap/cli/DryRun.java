package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.config.ServeSettings;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.Plan;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.ReplicaCommand;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.bootstrap.topology.Topology;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code serve} would start, without starting it: nothing is locked, written or forked. */
final class DryRun {
  private final ServeSettings settings;
  private final boolean json;
  private final PrintWriter out;
  private final List<String> warnings = new ArrayList<>();

  DryRun(ServeSettings settings, boolean json, PrintWriter out) {
    this.settings = settings;
    this.json = json;
    this.out = out;
  }

  /** Prints plan and command lines; returns the exit status. */
  int run() throws CommandFailure {
    Topology topology = MachineProbe.probe();
    Plan plan = plan(topology);
    List<List<String>> commands = commands(plan);
    if (json) {
      print(plan, commands);
    } else {
      print(topology, plan, commands);
    }
    return ExitStatus.OK;
  }

  private Plan plan(Topology topology) throws CommandFailure {
    try {
      return PlacementPlanner.plan(topology, settings.placement());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private List<List<String>> commands(Plan plan) throws CommandFailure {
    ReplicaCommands replicas = new ReplicaCommands(settings, ServeProgram.REPLICA_MAIN, this::warn);
    Path crashes = settings.data().resolve("crash");
    List<List<String>> commands = new ArrayList<>();
    try {
      for (ReplicaSpec spec : plan.replicas()) {
        ReplicaCommand command = replicas.of(spec, crashes);
        commands.add(command.words());
      }
    } catch (IOException e) {
      throw new CommandFailure(ExitStatus.FAILURE, String.valueOf(e.getMessage()));
    }
    return commands;
  }

  private void warn(String warning) {
    if (!warnings.contains(warning)) {
      warnings.add(warning);
    }
  }

  private void print(Plan plan, List<List<String>> commands) {
    ObjectNode root = Output.JSON.createObjectNode();
    root.set("plan", PlanJson.of(plan));
    ArrayNode lines = root.putArray("commands");
    commands.forEach(words -> lines.add(Output.JSON.<ArrayNode>valueToTree(words)));
    root.set("warnings", Output.JSON.valueToTree(warnings));
    Output.json(out, root);
  }

  private void print(Topology topology, Plan plan, List<List<String>> commands) {
    PlanText.lines(topology, plan).forEach(out::println);
    plan.decisions().forEach(decision -> out.println("  - " + decision));
    warnings.forEach(warning -> out.println("Warning: " + warning));
    out.println();
    out.println("Commands:");
    for (List<String> words : commands) {
      out.println(words.stream().map(DryRun::quoted).collect(Collectors.joining(" ", "  ", "")));
    }
    out.flush();
  }

  /** A word that a shell reads as it is. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
