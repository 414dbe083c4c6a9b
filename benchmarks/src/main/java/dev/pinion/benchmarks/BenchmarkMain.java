package dev.pinion.benchmarks;

import dev.pinion.benchmarks.bare.BareCommand;
import dev.pinion.benchmarks.bare.EchoCommand;
import dev.pinion.benchmarks.cli.BenchExperiment;
import dev.pinion.benchmarks.cli.CommandErrorHandler;
import dev.pinion.benchmarks.cli.ExperimentCommand;
import dev.pinion.benchmarks.cli.JmhCommand;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.dharch.ChainsCommand;
import dev.pinion.bootstrap.cli.OptionSuggestion;
import dev.pinion.workloads.InterruptMessage;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Measures the engine: as whole processes, as experiments, or part by part with JMH. */
@Command(name = "pinion", description = "Measures the engine.", mixinStandardHelpOptions = true)
public final class BenchmarkMain {
  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    InterruptMessage interruptMessage = InterruptMessage.watch();
    int status = commandLine().execute(args);
    interruptMessage.over();
    System.exit(status);
  }

  /** The commands, with errors as one sentence on standard error. */
  public static CommandLine commandLine() {
    CommandLine commands = new CommandLine(new BenchmarkMain());
    commands.addSubcommand(TestbedCommand.of(BenchExperiment.EXPERIMENT));
    commands.addSubcommand(ExperimentCommand.withExperiments());
    commands.addSubcommand(new BareCommand());
    commands.addSubcommand(new EchoCommand());
    commands.addSubcommand(new ChainsCommand());
    commands.setCaseInsensitiveEnumValuesAllowed(true);
    commands.addSubcommand(
        new CommandLine(new JmhCommand()).setUnmatchedOptionsArePositionalParams(true));
    commands.setParameterExceptionHandler(BenchmarkMain::wrongUsage);
    commands.setExecutionExceptionHandler(new CommandErrorHandler());
    return commands;
  }

  private static int wrongUsage(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + sentence(wrong));
    command.getErr().println("Options: " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  /** An unknown experiment is named whatever options follow it. */
  private static String sentence(ParameterException wrong) {
    return wrong instanceof UnmatchedArgumentException unmatched
            && wrong.getCommandLine().getCommand() instanceof ExperimentCommand experiments
        ? experiments.expectedName(unmatched.getUnmatched().getFirst())
        : wrong.getMessage() + OptionSuggestion.of(wrong);
  }
}
