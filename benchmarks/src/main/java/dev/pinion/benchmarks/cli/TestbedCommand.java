package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.CpuPlacement;
import dev.pinion.benchmarks.bench.OwnJvm;
import dev.pinion.benchmarks.bench.Testbed;
import dev.pinion.benchmarks.environment.EnvironmentReport;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Report;
import dev.pinion.benchmarks.experiment.Results;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that measures whole processes: checks its options, moves itself to the load's CPUs,
 * opens a testbed, runs its comparisons and reports.
 */
abstract class TestbedCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private HarnessOptions options = new HarnessOptions();

  /** Name of the experiment, in reports. */
  abstract String experiment();

  /** What it is to decide. */
  abstract String question();

  /** Checks what can be checked before anything is started. */
  abstract void check(CpuPlacement placement);

  /** Starts what is to be measured. */
  abstract List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException;

  /** Which CPUs are measured and which carry the load. */
  CpuPlacement placement(CpuSet allowed) {
    return options.placement(allowed);
  }

  /** Ratios to report by name. */
  List<Finding> findings(Results results) {
    return List.of();
  }

  /** Called with the finished report. */
  void keep(Report report) throws IOException {}

  final HarnessOptions options() {
    return options;
  }

  final CommandSpec spec() {
    return spec;
  }

  @Override
  public final Integer call() throws IOException, MeasurementException, InterruptedException {
    CpuPlacement placement = placement(OwnJvm.allowedCpus());
    int rounds = options.rounds();
    check(placement);
    Path launcher = Launcher.path();
    if (!OwnJvm.isConfined()) {
      return OwnJvm.rerunOnLoad(
          placement, spec.root().commandLine().getParseResult().originalArgs());
    }
    Report report = measure(launcher, placement, rounds);
    if (options.json()) {
      spec.commandLine().getOut().println(report.json().toPrettyString());
    } else {
      spec.commandLine().getOut().print(report.text());
    }
    spec.commandLine().getOut().flush();
    keep(report);
    return ExitCode.OK;
  }

  private Report measure(Path launcher, CpuPlacement placement, int rounds)
      throws IOException, MeasurementException, InterruptedException {
    EnvironmentReport environment =
        EnvironmentReport.take(Launcher.checkout())
            .with("engine cpus", placement.engine().toString())
            .with("load cpus", placement.load().toString())
            .with(
                "command",
                String.join(" ", spec.root().commandLine().getParseResult().originalArgs()));
    Path data = Files.createTempDirectory("pinion-bench");
    try (Testbed testbed = new Testbed(launcher, data, placement)) {
      List<Comparison> comparisons = comparisons(testbed);
      for (Map.Entry<String, String> flags : testbed.flags().entrySet()) {
        environment = environment.with("flags of " + flags.getKey(), flags.getValue());
      }
      List<Results> results = run(comparisons, rounds);
      List<Finding> findings = results.stream().flatMap(one -> findings(one).stream()).toList();
      return new Report(experiment(), question(), environment, results, findings);
    } finally {
      delete(data);
    }
  }

  private List<Results> run(List<Comparison> comparisons, int rounds)
      throws MeasurementException, InterruptedException {
    int steps = comparisons.stream().mapToInt(comparison -> comparison.steps(rounds)).sum();
    List<Results> results = new ArrayList<>();
    try (StepBar progress = new StepBar(experiment(), steps)) {
      for (Comparison comparison : comparisons) {
        results.add(comparison.run(rounds, progress));
      }
    }
    return results;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
