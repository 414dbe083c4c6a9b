package dev.pinion.bootstrap.cli.schedule;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The group of commands on schedules. Without one of them, it lists. */
@Command(
    name = "schedules",
    description = "Lists, pauses or resumes schedules.",
    sortOptions = false,
    subcommands = SchedulesListCommand.class)
public final class SchedulesCommand extends ScheduleListing {
  private SchedulesCommand() {}

  /** The group. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new SchedulesCommand());
    line.addSubcommand(
        SchedulesControlCommand.commandLine(
            "pause", "pause", "Has no runs of schedules begin; those under way continue."));
    line.addSubcommand(
        SchedulesControlCommand.commandLine(
            "resume", "resumption", "Lets paused schedules go on with their next run."));
    return line.setExecutionStrategy(SchedulesCommand::run);
  }

  /** Options of the list before another command would have no effect. */
  private static int run(ParseResult parsed) {
    if (parsed.hasSubcommand() && !parsed.matchedOptions().isEmpty()) {
      String verb = parsed.subcommand().commandSpec().name();
      throw new ParameterException(
          parsed.commandSpec().commandLine(),
          "expected "
              + parsed.matchedOptions().getFirst().longestName()
              + " after "
              + verb
              + ", found it before");
    }
    return new RunLast().execute(parsed);
  }
}
