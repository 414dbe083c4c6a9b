package dev.pinion.bootstrap.cli.handlers;

import dev.pinion.bootstrap.cli.BaseCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The group of commands about handlers, and about those of an engine. */
@Command(
    name = "handlers",
    description =
        "Lists kinds of handlers, tries and explains chains of them, has them read again, or checks"
            + " audit files.",
    sortOptions = false,
    subcommands = {
      HandlersListCommand.class,
      HandlersExplainCommand.class,
      HandlersReloadCommand.class,
      HandlersVerifyAuditCommand.class
    })
public final class HandlersCommand extends BaseCommand implements Callable<Integer> {
  private final CommandLine line = new CommandLine(this);

  private HandlersCommand() {}

  public static CommandLine commandLine() {
    return new HandlersCommand().line;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        line, "expected list, explain, reload or verify-audit, found nothing");
  }
}
