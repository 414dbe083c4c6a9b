package dev.pinion.bootstrap.cli.definition;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The group of commands on deployed definitions. Without one of them, it lists. */
@Command(
    name = "definitions",
    description = "Lists, shows, compares, disables, enables or deletes definitions.",
    sortOptions = false,
    subcommands = {
      DefinitionsListCommand.class,
      DefinitionsShowCommand.class,
      DefinitionsDiffCommand.class
    })
public final class DefinitionsCommand extends DefinitionListing {
  private DefinitionsCommand() {}

  /** The group. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new DefinitionsCommand());
    line.addSubcommand(
        DefinitionsStatusCommand.commandLine(
            "disable",
            "disablement",
            "Lets no more instances of definitions start; those under way continue."));
    line.addSubcommand(
        DefinitionsStatusCommand.commandLine(
            "enable", "enablement", "Lets instances of disabled definitions start again."));
    line.addSubcommand(DefinitionsDeleteCommand.commandLine("delete"));
    return line.setExecutionStrategy(DefinitionsCommand::run);
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
