package dev.pinion.bootstrap.cli.broker;

import dev.pinion.bootstrap.cli.BaseCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The group of broker commands. */
@Command(
    name = "broker",
    description = "Binds abstract services so that service levels hold.",
    sortOptions = false,
    subcommands = {
      BrokerSolveCommand.class,
      BrokerServicesCommand.class,
      BrokerPlanCommand.class,
      BrokerExplainCommand.class
    })
public final class BrokerCommand extends BaseCommand implements Callable<Integer> {
  private final CommandLine line = new CommandLine(this);

  private BrokerCommand() {}

  public static CommandLine commandLine() {
    CommandLine line = new BrokerCommand().line;
    line.addSubcommand(
        BrokerListCommand.commandLine(
            "classes", "Shows the classes of service of a running engine, or changes one."));
    line.addSubcommand(
        BrokerListCommand.commandLine(
            "slas", "Shows the contracts of users of a running engine, or changes one."));
    return line;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        line, "expected solve, services, classes, slas, plan or explain, found nothing");
  }
}
