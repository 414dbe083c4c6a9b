package dev.pinion.bootstrap.cli.conformance;

import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.ProgressLine;
import dev.pinion.bootstrap.cli.VersionCommand;
import dev.pinion.bootstrap.client.ProtocolClients;
import dev.pinion.bootstrap.conformance.ConformanceReport;
import dev.pinion.bootstrap.conformance.ConformanceRun;
import dev.pinion.bootstrap.conformance.FeatureLibrary;
import dev.pinion.bootstrap.conformance.FeatureSyntaxException;
import dev.pinion.bootstrap.conformance.ReportFiles;
import dev.pinion.bootstrap.conformance.Scenario;
import dev.pinion.bootstrap.conformance.ScenarioOutcome;
import dev.pinion.bootstrap.conformance.ScenarioResult;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the own conformance suite, and features of folders, on engines in this process. */
@Command(
    name = "conformance",
    description = "Runs conformance scenarios on engines in this process and reports the results.",
    sortOptions = false)
public final class ConformanceCommand extends BaseCommand implements Callable<Integer> {
  private final SuiteSource suite;

  @Option(
      names = "--features",
      paramLabel = "DIR",
      description = "Folder with feature files to run besides the own suite; may be repeated.")
  private List<Path> features = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the report: " + ReportFiles.PAGE + " and " + ReportFiles.JSON + ".")
  private @Nullable Path folder;

  public ConformanceCommand() {
    this(FeatureLibrary::ownSuite);
  }

  ConformanceCommand(SuiteSource suite) {
    this.suite = suite;
  }

  /** Where the own suite comes from. */
  @FunctionalInterface
  interface SuiteSource {
    List<Scenario> read() throws IOException, FeatureSyntaxException;
  }

  @Override
  public Integer call() throws CommandException, IOException, InterruptedException {
    if (folder != null) {
      prepare(folder);
    }
    List<Scenario> scenarios = scenarios();
    PrintWriter terminal = ProgressLine.hasTerminal() ? err() : null;
    ConformanceReport report =
        new ConformanceRun(
                Clock.system(),
                ProtocolClients::unrestricted,
                (done, all) ->
                    ProgressLine.draw(terminal, "conformance", done, all, done + " of " + all))
            .run(scenarios);
    ProgressLine.clear(terminal);
    ReportFiles files = new ReportFiles(report, VersionCommand.version());
    if (folder != null) {
      files.write(folder);
      err().println("wrote " + folder.resolve(ReportFiles.PAGE).toAbsolutePath());
    }
    if (json()) {
      CommandOutput.json(out(), files.json());
    } else {
      print(report);
    }
    return report.isConforming() ? ExitStatus.OK : ExitStatus.FAILURE;
  }

  private static void prepare(Path folder) throws CommandException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.FAILURE, "--out: expected a folder that can be written, found " + folder);
    }
  }

  private List<Scenario> scenarios() throws CommandException, IOException {
    Path now = null;
    try {
      List<Scenario> scenarios = new ArrayList<>(suite.read());
      for (Path each : features) {
        now = each;
        scenarios.addAll(FeatureLibrary.in(each));
      }
      return scenarios;
    } catch (FeatureSyntaxException e) {
      throw new CommandException(ExitStatus.DATA, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      if (now == null) {
        throw e;
      }
      String reason = Files.isDirectory(now) ? String.valueOf(e.getMessage()) : "none";
      throw new CommandException(
          ExitStatus.NO_INPUT,
          "--features: expected a folder with features at " + now + ", found: " + reason);
    }
  }

  private void print(ConformanceReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("section", "scenarios", "passed", "failed", "unsupported"));
    for (Map.Entry<String, ConformanceReport> each : report.bySection().entrySet()) {
      ConformanceReport part = each.getValue();
      rows.add(
          List.of(
              each.getKey(),
              Integer.toString(part.results().size()),
              Long.toString(part.count(ScenarioOutcome.PASSED)),
              Long.toString(part.count(ScenarioOutcome.FAILED)),
              Long.toString(part.count(ScenarioOutcome.UNSUPPORTED))));
    }
    CommandOutput.table(out(), rows);
    for (ScenarioResult failed : report.with(ScenarioOutcome.FAILED)) {
      Scenario scenario = failed.scenario();
      out().println();
      out().println(scenario.source() + ": " + scenario.name());
      out().println("  " + failed.message());
    }
    out().println();
    out().println(report.summary());
    out().flush();
  }
}
