package dev.pinion.workloads;

import dev.pinion.workloads.demo.Demo;
import dev.pinion.workloads.demo.DemoException;
import dev.pinion.workloads.demo.DemoSettings;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: the demonstration. */
@Command(
    name = "demo",
    description =
        "Starts the engine and stub services, runs every workload, accounts for every call.")
final class DemoCommand implements Callable<Integer> {
  private static final int MAX_SECONDS = 3_600;
  private static final int MAX_CLIENTS = 10_000;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "The time each workload loads the engine, in s; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--clients",
      defaultValue = "32",
      description = "Clients that do so; default ${DEFAULT-VALUE}.")
  private int clients;

  @Option(names = "--keep", description = "Leave engine and stub services running.")
  private boolean keep;

  @Option(names = "--json", description = "Print one JSON document at the end instead of text.")
  private boolean json;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls call()
  DemoCommand() {}

  @Override
  public Integer call() throws DemoException, InterruptedException {
    expect("--seconds", seconds, MAX_SECONDS);
    expect("--clients", clients, MAX_CLIENTS);
    DemoSettings settings = new DemoSettings(Duration.ofSeconds(seconds), clients, keep);
    return new Demo(WorkloadMain.class, settings, json, spec.commandLine().getOut()).run() ? 0 : 1;
  }

  private void expect(String option, int found, int most) {
    if (found < 1 || found > most) {
      throw new ParameterException(
          spec.commandLine(), "expected " + option + " from 1 to " + most + ", found " + found);
    }
  }
}
