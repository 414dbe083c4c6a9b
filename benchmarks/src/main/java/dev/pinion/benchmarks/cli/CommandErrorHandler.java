package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.workloads.load.ProgressBar;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Turns exceptions of a command into a sentence and an exit code: 2 for invalid arguments, 1 for a
 * failed measurement, 130 when interrupted. Anything else is a bug and keeps its stack trace.
 */
public final class CommandErrorHandler implements IExecutionExceptionHandler {
  private static final int INTERRUPTED = 130;

  @Override
  public int handleExecutionException(Exception exception, CommandLine command, ParseResult parsed)
      throws Exception {
    int code =
        switch (exception) {
          case IllegalArgumentException e -> ExitCode.USAGE;
          case MeasurementException e -> ExitCode.SOFTWARE;
          case IOException e -> ExitCode.SOFTWARE;
          case InterruptedException e -> INTERRUPTED;
          default -> throw exception;
        };
    if (ProgressBar.isStopped()) {
      return code; // Ctrl-C, which the terminal has shown already
    }
    String reason = code == INTERRUPTED ? "interrupted" : exception.getMessage();
    command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + reason);
    return code;
  }
}
