package dev.pinion.bootstrap.cli.journal;

import dev.pinion.bootstrap.cli.BaseCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The group of commands for journals of an engine, without the engine. */
@Command(
    name = "journal",
    description = "Checks, shows or repairs journals of instances.",
    sortOptions = false,
    subcommands = {
      JournalVerifyCommand.class,
      JournalDumpCommand.class,
      JournalRepairCommand.class
    })
public final class JournalCommand extends BaseCommand implements Callable<Integer> {
  private final CommandLine line = new CommandLine(this);

  private JournalCommand() {}

  public static CommandLine commandLine() {
    return new JournalCommand().line;
  }

  @Override
  public Integer call() {
    throw new ParameterException(line, "expected verify, dump or repair, found nothing");
  }
}
