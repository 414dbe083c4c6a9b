package dev.pinion.benchmarks.bare;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bare}: the bare exchange as a process, until standard input ends. */
@Command(
    name = "bare",
    description = "Serves the bare exchange until standard input ends.",
    mixinStandardHelpOptions = true)
public final class BareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--workload", required = true, description = "Workload to exchange.")
  private String workload = "";

  @Option(names = "--stub", required = true, description = "Where the services are.")
  private URI stub = URI.create("");

  @Option(names = "--port", defaultValue = "0", description = "Port, 0 for a free one.")
  private int port;

  @Override
  public Integer call() throws IOException {
    if (stub.getHost() == null || stub.getPort() < 0) {
      throw new IllegalArgumentException(
          "expected a stub such as http://127.0.0.1:80, found " + stub);
    }
    ServerLifetime.run(
        BareExchange.start(port, CallPattern.named(workload), stub),
        spec.commandLine().getOut(),
        System.in);
    return ExitCode.OK;
  }
}
