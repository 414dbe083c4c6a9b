package dev.pinion.workloads;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code stub}: serves until it is asked to end. */
@Command(
    name = "stub",
    description = "Serves web services that answer by formula and count every call.")
final class StubCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "0",
      description = "Port on the loopback interface; 0, the default, for a free one.")
  private int port;

  @Option(
      names = "--services",
      defaultValue = "6",
      description = "Number of services, s1 and so on; default ${DEFAULT-VALUE}.")
  private int services;

  @Option(
      names = "--delay-ms",
      defaultValue = "0",
      description = "The time an answer takes, in ms; default ${DEFAULT-VALUE}.")
  private long delayMs;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "Event loops; default ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--exit-with-parent",
      description =
          "End when standard input ends, as it does when the process at its other end dies.")
  private boolean exitWithParent;

  @Option(names = "--json", description = "Print where it listens as JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls call()
  StubCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionRange.require(spec, "--port", port, 0, StubSettings.MAX_PORT);
    OptionRange.require(spec, "--services", services, 1, StubSettings.MAX_SERVICES);
    OptionRange.require(spec, "--threads", threads, 1, StubSettings.MAX_THREADS);
    OptionRange.require(spec, "--delay-ms", delayMs, 0, StubSettings.MAX_DELAY_SECONDS * 1_000L);
    StubSettings settings = new StubSettings(port, services, Duration.ofMillis(delayMs), threads);
    try (StubService stub = StubService.start(settings)) {
      announce(stub);
      if (exitWithParent) {
        System.in.transferTo(OutputStream.nullOutputStream());
      } else {
        new CountDownLatch(1).await();
      }
      return 0;
    }
  }

  private void announce(StubService stub) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          JsonNodeFactory.instance
              .objectNode()
              .put("ready", stub.uri().toString())
              .put("pid", ProcessHandle.current().pid()));
    } else {
      out.println("ready " + stub.uri());
    }
    out.flush();
  }
}
