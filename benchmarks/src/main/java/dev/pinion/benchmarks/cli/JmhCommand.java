package dev.pinion.benchmarks.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.report.EnvironmentReport;
import dev.pinion.benchmarks.testbed.PinionScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jmh}: the benchmarks of single components. */
@Command(
    name = "jmh",
    description = "Runs the JMH benchmarks whose names match, after a report on the machine.")
public final class JmhCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--help", usageHelp = true, description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the option itself
  private boolean help;

  @Option(names = "--json", description = "Environment and results as JSON on standard output.")
  private boolean json;

  @Parameters(
      paramLabel = "FILTER",
      arity = "0..*",
      description =
          "Regular expressions of benchmark names, and any option of JMH: -l lists the benchmarks,"
              + " -h tells all options.")
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException, MeasurementException {
    EnvironmentReport environment = EnvironmentReport.take(PinionScript.checkout());
    if (json) {
      spec.commandLine().getOut().println(measured(environment).toPrettyString());
    } else {
      spec.commandLine().getOut().println(environment.text());
      spec.commandLine().getOut().flush();
      Main.main(arguments.toArray(String[]::new));
    }
    return ExitCode.OK;
  }

  private ObjectNode measured(EnvironmentReport environment)
      throws IOException, MeasurementException {
    Path results = Files.createTempFile("pinion-jmh", ".json");
    Path log = Files.createTempFile("pinion-jmh", ".log");
    results.toFile().deleteOnExit(); // when a signal ends this
    log.toFile().deleteOnExit();
    try {
      List<String> options = new ArrayList<>(arguments);
      options.addAll(List.of("-rf", "json", "-rff", results.toString(), "-o", log.toString()));
      if (new Runner(new CommandLineOptions(options.toArray(String[]::new))).run().isEmpty()) {
        throw new MeasurementException("expected results, found none: " + Files.readString(log));
      }
      ObjectNode report = JsonNodeFactory.instance.objectNode();
      report.set("environment", environment.json());
      report.set("results", new ObjectMapper().readTree(results.toFile()));
      return report;
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    } catch (RunnerException e) {
      String reason = e.getMessage() == null ? "none of that name" : e.getMessage();
      throw new MeasurementException("expected benchmarks that run, found: " + reason, e);
    } finally {
      Files.delete(results);
      Files.delete(log);
    }
  }
}
