package dev.pinion.bootstrap;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.InterruptNotice;
import dev.pinion.bootstrap.cli.NonBreakingAddresses;
import dev.pinion.bootstrap.cli.OptionSuggestion;
import dev.pinion.core.model.SpellingSuggestion;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Entry point of the commands of this module. Loads only the requested command. */
public final class PinionMain {
  private PinionMain() {}

  /** Runs a command and exits with its status. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    Optional<String> unreadable =
        unreadable(args, System.getProperty("sun.jnu.encoding", StandardCharsets.UTF_8.name()));
    if (unreadable.isPresent()) {
      err.println("pinion: " + unreadable.get());
      System.exit(ExitStatus.USAGE);
    }
    InterruptNotice interruptNotice = InterruptNotice.watch(err);
    int status = run(args, out, err);
    interruptNotice.commandEnded();
    System.exit(status);
  }

  /**
   * Reason why arguments may differ from the typed ones: the JVM decodes them by the locale.
   *
   * @param encoding encoding with which it has decoded them
   */
  static Optional<String> unreadable(String[] args, String encoding) {
    if (encoding.equalsIgnoreCase(StandardCharsets.UTF_8.name())
        || StandardCharsets.US_ASCII.newEncoder().canEncode(String.join("", args))) {
      return Optional.empty();
    }
    return Optional.of(
        "expected a locale whose encoding is UTF-8 to read arguments beyond ASCII, found "
            + encoding
            + ": start with bin/pinion, or set LC_ALL=C.UTF-8");
  }

  /**
   * Runs a command.
   *
   * @return exit status
   */
  public static int run(String[] args, PrintWriter out, PrintWriter err) {
    String name = args.length == 0 ? "help" : args[0];
    if (name.equals("help") || name.equals("--help") || name.equals("-h")) {
      return args.length < 2 ? help(out) : run(new String[] {args[1], "--help"}, out, err);
    }
    Optional<CommandLine> command =
        Commands.named(name.equals("--version") ? "version" : name).map(Commands::commandLine);
    if (command.isEmpty()) {
      err.println(
          "pinion: expected a command, found \""
              + name
              + "\"; "
              + SpellingSuggestion.hint(name, Commands.labels()));
      return ExitStatus.USAGE;
    }
    return prepared(command.get(), out, err).execute(Arrays.copyOfRange(args, 1, args.length));
  }

  private static int help(PrintWriter out) {
    out.print(Commands.help());
    out.flush();
    return ExitStatus.OK;
  }

  private static CommandLine prepared(CommandLine command, PrintWriter out, PrintWriter err) {
    command.getCommandSpec().usageMessage().footer(ExitStatus.FOOTER);
    named(command);
    NonBreakingAddresses.install(command);
    return command
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(PinionMain::wrongUsage)
        .setExecutionExceptionHandler((failure, line, parsed) -> failed(failure, line));
  }

  /**
   * Sets the usage to the typed command: picocli's commands do not know the name of the launcher.
   */
  private static void named(CommandLine command) {
    command.getCommandSpec().usageMessage().synopsisHeading("Usage: pinion ");
    command.getSubcommands().values().forEach(PinionMain::named);
  }

  private static int wrongUsage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    String name = line.getCommandSpec().qualifiedName();
    line.getErr().println("pinion " + name + ": " + e.getMessage() + OptionSuggestion.of(e));
    line.getErr().println("Options: pinion " + name + " --help");
    return ExitStatus.USAGE;
  }

  private static int failed(Exception failure, CommandLine line) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    line.getErr().println("pinion " + line.getCommandSpec().qualifiedName() + ": " + message);
    return failure instanceof CommandException known ? known.status() : ExitStatus.FAILURE;
  }
}
