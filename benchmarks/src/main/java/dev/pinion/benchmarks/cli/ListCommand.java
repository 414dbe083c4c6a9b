package dev.pinion.benchmarks.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.MachineSize;
import dev.pinion.benchmarks.experiments.DurationText;
import dev.pinion.benchmarks.experiments.ListedExperiment;
import dev.pinion.benchmarks.testbed.BenchmarkJvm;
import dev.pinion.benchmarks.testbed.UnconfinedMachine;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code experiment list}: experiments, their durations, and whether they are meaningful here. */
@Command(
    name = "list",
    description = "Says what each experiment shows, how long it takes and what hardware it needs.",
    mixinStandardHelpOptions = true)
public final class ListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "As JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    CpuSet allowed = BenchmarkJvm.allowedCpus();
    UnconfinedMachine machine = UnconfinedMachine.read(allowed);
    if (json) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      each((name, command) -> list.add(json(name, command, facts(command, machine, allowed))));
      out().println(list.toPrettyString());
    } else {
      each((name, command) -> print(name, command, facts(command, machine, allowed)));
    }
    out().flush();
    return ExitCode.OK;
  }

  private static MachineSize facts(CommandLine command, UnconfinedMachine machine, CpuSet allowed) {
    return machine.facts(of(command).placement(allowed));
  }

  private void each(BiConsumer<String, CommandLine> action) {
    for (Map.Entry<String, CommandLine> entry : spec.parent().subcommands().entrySet()) {
      if (entry.getValue().getCommand() instanceof ListedExperiment) {
        action.accept(entry.getKey(), entry.getValue());
      }
    }
  }

  private void print(String name, CommandLine command, MachineSize machineSize) {
    ExperimentDescription experimentDescription = of(command).description();
    List<String> missing = experimentDescription.hardware().missing(machineSize);
    out().println(name);
    out().println("  " + experimentDescription.shows());
    if (!experimentDescription.source().isEmpty()) {
      out().println("  " + experimentDescription.source());
    }
    out()
        .println(
            "  takes about %s, with --quick %s, with --full %s"
                .formatted(time(command), time(command, "--quick"), time(command, "--full")));
    out().println("  meaningful on " + experimentDescription.hardware().text());
    missing.forEach(sentence -> out().println("  here: " + sentence));
    out().println();
  }

  private static ObjectNode json(String name, CommandLine command, MachineSize machineSize) {
    ExperimentDescription experimentDescription = of(command).description();
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("name", name);
    node.put("shows", experimentDescription.shows()).put("source", experimentDescription.source());
    node.put("hardware", experimentDescription.hardware().text());
    ArrayNode here = node.putArray("missingHere");
    experimentDescription.hardware().missing(machineSize).forEach(here::add);
    node.put("time", time(command)).put("timeQuick", time(command, "--quick"));
    return node.put("timeFull", time(command, "--full"));
  }

  /** Parsing sets all options, and omitted ones to their defaults. */
  private static String time(CommandLine command, String... arguments) {
    command.parseArgs(arguments);
    return DurationText.about(of(command).time());
  }

  private static ListedExperiment of(CommandLine command) {
    return command.getCommand();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
