package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.InterleavedRun;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.report.EnvironmentReport;
import dev.pinion.benchmarks.report.Report;
import dev.pinion.benchmarks.report.ReportSubject;
import dev.pinion.benchmarks.testbed.BenchmarkJvm;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.GracefulShutdown;
import dev.pinion.benchmarks.testbed.PinionScript;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.benchmarks.testbed.UnconfinedMachine;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Runs an experiment by its command line: checks the options, moves itself to the load's CPUs,
 * opens a testbed, runs the comparisons and reports.
 */
public final class TestbedCommand implements Callable<Integer>, ListedExperiment {
  private final Experiment experiment;
  private final ExperimentRun run;
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private TestbedOptions options = new TestbedOptions();

  private TestbedCommand(Experiment experiment) {
    this.experiment = experiment;
    this.run = new ExperimentRun(options, experiment.options);
  }

  /** The command of an experiment. */
  public static CommandLine of(Experiment experiment) {
    TestbedCommand command = new TestbedCommand(experiment);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command).name(experiment.name);
    spec.mixinStandardHelpOptions(true);
    spec.usageMessage().description(experiment.help.toArray(String[]::new));
    command.run.arguments().forEach(spec::add);
    return new CommandLine(spec);
  }

  @Override
  public ExperimentDescription description() {
    return experiment.description();
  }

  @Override
  public Duration time() {
    return experiment.time.apply(run);
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return experiment.placement.apply(options, allowed);
  }

  /**
   * Takes the CPUs of this run, and checks its options.
   *
   * @throws IllegalArgumentException when one is out of its range, or of no use here
   */
  public void prepare(CpuPlacement placement) {
    run.place(placement);
    run.checkOptions();
    experiment.check.accept(run);
    options.refuse(unused());
    options.requireTimes();
  }

  /** Options among {@code --seconds} and {@code --warmup} without meaning for this experiment. */
  public Set<String> unused() {
    return experiment.unused.apply(run);
  }

  /** Starts the processes to measure. */
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    return experiment.setup.comparisons(run, testbed);
  }

  /**
   * The report of results.
   *
   * @param caveats reasons why the numbers say less than they could
   */
  public Report report(
      List<String> caveats, EnvironmentReport environment, List<ComparisonResults> results) {
    Stream<Finding> each = results.stream().flatMap(one -> experiment.findings.apply(run, one));
    return new Report(
        new ReportSubject(experiment.name, experiment.question.apply(run), description()),
        caveats,
        environment,
        results,
        Stream.concat(each, experiment.overall.apply(run, results)).toList(),
        experiment.figures.apply(run, results));
  }

  @Override
  public Integer call() throws IOException, MeasurementException, InterruptedException {
    CpuPlacement placement = placement(BenchmarkJvm.allowedCpus());
    int rounds = run.rounds();
    prepare(placement);
    options.output().prepare();
    Path launcher = PinionScript.path();
    if (!BenchmarkJvm.isConfined()) {
      return BenchmarkJvm.rerunOnLoad(
          placement, spec.root().commandLine().getParseResult().originalArgs());
    }
    UnconfinedMachine machine = UnconfinedMachine.read(BenchmarkJvm.allowedCpus());
    run.place(machine.caches(placement.engine()));
    Report report;
    try (GracefulShutdown _ = new GracefulShutdown(BenchmarkJvm.starterEnds())) {
      report = measure(launcher, placement, machine, rounds);
    }
    options.output().accept(report, Map.of("The machine", machine), spec.commandLine());
    return ExitCode.OK;
  }

  private Report measure(
      Path launcher, CpuPlacement placement, UnconfinedMachine machine, int rounds)
      throws IOException, MeasurementException, InterruptedException {
    EnvironmentReport environment = environment(BenchmarkJvm.allowedCpus(), placement, rounds);
    for (Map.Entry<String, String> program : experiment.programs.versions().entrySet()) {
      environment = environment.with("version of " + program.getKey(), program.getValue());
    }
    Path data = Files.createTempDirectory("pinion-bench");
    try (ExperimentProgressBar progress = new ExperimentProgressBar(experiment.name);
        Testbed testbed = new Testbed(launcher, data, placement)) {
      progress.preparing("starting engines");
      List<Comparison> comparisons = comparisons(testbed);
      progress.begin(comparisons.stream().mapToInt(each -> each.steps(rounds)).sum());
      List<ComparisonResults> results = InterleavedRun.of(comparisons, rounds, progress);
      for (Map.Entry<String, String> flags : testbed.flags().entrySet()) {
        environment = environment.with("flags of " + flags.getKey(), flags.getValue());
      }
      for (Map.Entry<String, String> engine : testbed.engineOptions().entrySet()) {
        environment = environment.with("options of " + engine.getKey(), engine.getValue());
      }
      List<String> caveats = new ArrayList<>();
      String warning = environment.facts().get(EnvironmentReport.WARNING);
      if (warning != null) {
        caveats.add("warning: " + warning);
      }
      caveats.addAll(description().hardware().missing(machine.facts(placement)));
      caveats.addAll(experiment.caveats.apply(run));
      caveats.addAll(ResultsCheck.check(results));
      return report(caveats, environment, results);
    } finally {
      delete(data);
    }
  }

  private EnvironmentReport environment(CpuSet allowed, CpuPlacement placement, int rounds) {
    EnvironmentReport environment =
        EnvironmentReport.take(PinionScript.checkout())
            .with("cpus allowed", allowed.toString())
            .with("engine cpus", placement.engine().toString())
            .with("load cpus", placement.load().toString())
            .with(
                "command",
                String.join(" ", spec.root().commandLine().getParseResult().originalArgs()))
            .with("rounds", Integer.toString(rounds));
    if (!unused().contains("--seconds")) {
      environment = environment.with("seconds", Long.toString(options.duration().toSeconds()));
    }
    if (!unused().contains("--warmup")) {
      environment =
          environment
              .with("warm-up seconds", Long.toString(options.warmUp().toSeconds()))
              .with(
                  "most seconds at full load after that",
                  Long.toString(options.effort().settling().toSeconds()));
    }
    return environment;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
