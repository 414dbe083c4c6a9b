package dev.pinion.workloads;

import dev.pinion.workloads.load.ProgressBar;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Command line of the programs that drive the engine from outside. Exit codes: 0 success, 1
 * failure, 2 the command line is wrong. Errors go to standard error in one sentence.
 */
@Command(
    name = "pinion",
    description = "Stub services, load generator and demonstration.",
    scope = ScopeType.INHERIT,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:all went well", "1:it did not", "2:the command line is wrong"},
    subcommands = {StubCommand.class, LoadCommand.class, DemoCommand.class})
public final class WorkloadMain implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Print this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the option itself
  private boolean help;

  @Spec private CommandSpec spec;

  /** Used by {@link #main} only. */
  @SuppressWarnings("NullAway.Init") // picocli sets the field before it calls run()
  private WorkloadMain() {}

  /** Runs the command line and exits. */
  public static void main(String[] args) {
    LogLineFormatter.install();
    InterruptMessage interruptMessage = InterruptMessage.watch();
    int status = execute(args);
    interruptMessage.over();
    System.exit(status);
  }

  /** Runs the command line and returns the exit code. */
  static int execute(String... args) {
    return commandLine().execute(args);
  }

  static CommandLine commandLine() {
    return new CommandLine(new WorkloadMain())
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(WorkloadMain::wrongUsage)
        .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "expected a command: stub, load or demo, found none");
  }

  private static int wrongUsage(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + wrong.getMessage() + hint(wrong));
    command.getErr().println("Options: " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  /** The probably intended option for a misspelt one. */
  private static String hint(ParameterException wrong) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched) || !unmatched.isUnknownOption()) {
      return "";
    }
    List<String> alike = unmatched.getSuggestions();
    return alike.isEmpty() ? "" : "; did you mean \"" + alike.getFirst() + "\"?";
  }

  /** Does not report failures after Ctrl-C, which has ended other processes too. */
  private static int failed(Exception failure, CommandLine command) {
    if (!ProgressBar.isStopped()) {
      String name = command.getCommandSpec().qualifiedName();
      command.getErr().println(name + ": " + sentence(failure));
    }
    return failure instanceof IllegalArgumentException
        ? CommandLine.ExitCode.USAGE
        : CommandLine.ExitCode.SOFTWARE;
  }

  private static String sentence(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
