package dev.pinion.benchmarks.bare;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code echo}: the echo server as a process, until standard input ends. */
@Command(
    name = "echo",
    description = "Serves an echo until standard input ends.",
    mixinStandardHelpOptions = true)
public final class EchoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--port", defaultValue = "0", description = "Port, 0 for a free one.")
  private int port;

  @Override
  public Integer call() throws IOException {
    ServerLifetime.run(EchoServer.start(port), spec.commandLine().getOut(), System.in);
    return ExitCode.OK;
  }
}
