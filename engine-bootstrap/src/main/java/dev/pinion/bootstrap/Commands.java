package dev.pinion.bootstrap;

import dev.pinion.bootstrap.cli.VersionCommand;
import dev.pinion.bootstrap.cli.broker.BrokerCommand;
import dev.pinion.bootstrap.cli.conformance.ConformanceCommand;
import dev.pinion.bootstrap.cli.definition.DefinitionsCommand;
import dev.pinion.bootstrap.cli.definition.DefinitionsDeleteCommand;
import dev.pinion.bootstrap.cli.definition.DeployCommand;
import dev.pinion.bootstrap.cli.definition.GraphCommand;
import dev.pinion.bootstrap.cli.definition.SchemaCommand;
import dev.pinion.bootstrap.cli.handlers.HandlerHostCommand;
import dev.pinion.bootstrap.cli.handlers.HandlersCommand;
import dev.pinion.bootstrap.cli.instance.ControlCommand;
import dev.pinion.bootstrap.cli.instance.HistoryCommand;
import dev.pinion.bootstrap.cli.instance.PsCommand;
import dev.pinion.bootstrap.cli.instance.RunCommand;
import dev.pinion.bootstrap.cli.instance.StartCommand;
import dev.pinion.bootstrap.cli.journal.JournalCommand;
import dev.pinion.bootstrap.cli.profile.ProfileCommand;
import dev.pinion.bootstrap.cli.schedule.SchedulesCommand;
import dev.pinion.bootstrap.cli.topology.TopologyCommand;
import dev.pinion.bootstrap.cli.validation.ValidateCommand;
import dev.pinion.bootstrap.serve.ServeCommand;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * All commands of the launcher, in the order of help. Commands of other modules are listed for help
 * only; the launcher starts them itself.
 */
enum Commands {
  DEMO("demo", "Start engine and stub services, run the five example processes, show results."),
  SERVE("serve", "Run the engine."),
  TOPOLOGY("topology", "Show the machine and the replicas planned for it."),
  VALIDATE("validate", "Check definitions and show every problem."),
  CONFORMANCE("conformance", "Run conformance scenarios and report the results."),
  GRAPH("graph", "Draw a definition."),
  SCHEMA("schema", "Print the JSON Schema of definitions, for editors."),
  DEPLOY("deploy", "Deploy definitions to a running engine."),
  DEFINITIONS(
      "definitions", "List, show, compare, disable or delete definitions of a running engine."),
  UNDEPLOY("undeploy", "Delete definitions from a running engine."),
  RUN("run", "Run a definition once, without a server."),
  START("start", "Start an instance on a running engine."),
  PS("ps", "List instances of a running engine."),
  CANCEL("cancel", "End instances."),
  SUSPEND("suspend", "Have instances begin nothing more."),
  RESUME("resume", "Let suspended instances go on."),
  RETRY("retry", "Let faulted instances go on from the task that failed."),
  RERUN("rerun", "Start instances like ones that have ended."),
  HISTORY("history", "Show what happened in an instance."),
  SCHEDULES("schedules", "List, pause or resume schedules of a running engine."),
  JOURNAL("journal", "Check, show or repair journals of instances."),
  BROKER("broker", "Bind abstract services so that service levels hold."),
  HANDLERS("handlers", "List kinds of handlers, or try and explain chains of them."),
  HANDLER_HOST("handler-host", "Run handlers for engines elsewhere, over NATS."),
  STUB("stub", "Run stub web services."),
  LOAD("load", "Put load on a running engine."),
  BENCH("bench", "Measure a workload, alone or against the bare exchange."),
  JMH("jmh", "Run microbenchmarks."),
  EXPERIMENT("experiment", "Compare variants side by side."),
  PROFILE("profile", "Show what a running engine spends its time on."),
  VERSION("version", "Show the version."),
  HELP("help", "Show this list, or the help of a command.");

  private final String label;
  private final String summary;

  Commands(String label, String summary) {
    this.label = label;
    this.summary = summary;
  }

  String label() {
    return label;
  }

  /** Parser of a command of this module; null for other modules. Loads no other command. */
  @Nullable CommandLine commandLine() {
    return switch (this) {
      case SERVE -> ServeCommand.commandLine();
      case TOPOLOGY -> TopologyCommand.commandLine();
      case VALIDATE -> ValidateCommand.commandLine();
      case CONFORMANCE -> new CommandLine(new ConformanceCommand());
      case GRAPH -> GraphCommand.commandLine();
      case SCHEMA -> new CommandLine(new SchemaCommand());
      case DEPLOY -> new CommandLine(new DeployCommand());
      case DEFINITIONS -> DefinitionsCommand.commandLine();
      case UNDEPLOY -> DefinitionsDeleteCommand.commandLine(label);
      case RUN -> new CommandLine(new RunCommand());
      case START -> new CommandLine(new StartCommand());
      case PS -> new CommandLine(new PsCommand());
      case CANCEL -> ControlCommand.commandLine(label, "cancellation", summary);
      case SUSPEND -> ControlCommand.commandLine(label, "suspension", summary);
      case RESUME -> ControlCommand.commandLine(label, "resumption", summary);
      case RETRY -> ControlCommand.commandLine(label, "retry", summary);
      case RERUN -> ControlCommand.commandLine(label, "rerun", summary);
      case HISTORY -> new CommandLine(new HistoryCommand());
      case SCHEDULES -> SchedulesCommand.commandLine();
      case JOURNAL -> JournalCommand.commandLine();
      case PROFILE -> new CommandLine(new ProfileCommand());
      case BROKER -> BrokerCommand.commandLine();
      case HANDLERS -> HandlersCommand.commandLine();
      case HANDLER_HOST -> new CommandLine(new HandlerHostCommand());
      case VERSION -> new CommandLine(new VersionCommand());
      case DEMO, STUB, LOAD, BENCH, JMH, EXPERIMENT, HELP -> null;
    };
  }

  static Optional<Commands> named(String label) {
    return Arrays.stream(values()).filter(each -> each.label.equals(label)).findFirst();
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(Commands::label).toList();
  }

  static String help() {
    StringBuilder text = new StringBuilder("Usage: pinion COMMAND [OPTIONS]\n\nCommands:\n");
    for (Commands command : values()) {
      text.append(String.format(Locale.ROOT, "  %-14s%s%n", command.label, command.summary));
    }
    return text.append("\nOptions of a command: pinion COMMAND --help\n").toString();
  }
}
