package dev.pinion.bootstrap.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** What can be asked about handlers without an engine. */
@Command(
    name = "handlers",
    description = "Lists kinds of handlers, or tries and explains chains of them.",
    sortOptions = false,
    subcommands = {HandlersListCommand.class, HandlersExplainCommand.class})
final class HandlersCommand extends BaseCommand implements Callable<Integer> {
  private final CommandLine line = new CommandLine(this);

  private HandlersCommand() {}

  static CommandLine commandLine() {
    return new HandlersCommand().line;
  }

  @Override
  public Integer call() {
    throw new ParameterException(line, "expected list or explain, found nothing");
  }
}
