package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.InterleavedRun;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.report.EnvironmentReport;
import dev.pinion.benchmarks.report.Report;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.report.ResultFiles;
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
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that measures whole processes: checks its options, moves itself to the load's CPUs,
 * opens a testbed, runs its comparisons and reports.
 */
public abstract class TestbedCommand implements Callable<Integer>, ListedExperiment {
  private static final List<Metric> HEADLINES = List.of(Metric.THROUGHPUT, Metric.P99, Metric.CPU);

  /** Settling usually ends after this fraction of its time. */
  private static final int SETTLED_EARLY = 4;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private TestbedOptions options = new TestbedOptions();
  private int engineCpus = 1;
  private int engineCaches = 1;

  /** Name of the experiment, in reports. */
  public abstract String experiment();

  /** Question that the experiment answers. */
  public abstract String question();

  /** Extent of the experiment with its options. */
  public abstract Extent extent();

  /** Checks the options before anything is started. */
  public abstract void check(CpuPlacement placement);

  /** Takes the CPUs of this run, and checks the options for them. */
  public final void prepare(CpuPlacement placement) {
    engineCpus = placement.engine().size();
    check(placement);
  }

  /** Measurements of each variant. */
  public final int rounds() {
    return options.rounds();
  }

  /** Starts the processes to measure. */
  public abstract List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException;

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options.placement(allowed);
  }

  /** Ratios to report by name. */
  public List<Finding> findings(ComparisonResults comparisonResults) {
    return List.of();
  }

  /** Ratios to report by name, over several comparisons. */
  public List<Finding> overall(List<ComparisonResults> results) {
    return List.of();
  }

  /** Reasons why the numbers of this run say less than they could, beyond the general ones. */
  public List<String> caveats() {
    return List.of();
  }

  /** Options among {@code --seconds} and {@code --warmup} without meaning for this experiment. */
  public Set<String> unused() {
    return Set.of();
  }

  /** Versions of other participating programs, by name. */
  public Map<String, String> versions() throws IOException {
    return Map.of();
  }

  /** Plots of the results; by default, the main metrics of each comparison. */
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (ComparisonResults one : results) {
      List<Metric> headlines = HEADLINES.stream().filter(one.metrics()::contains).toList();
      figures.addAll(
          ResultFigures.sideBySide(
              one,
              headlines.contains(Metric.THROUGHPUT)
                  ? headlines
                  : one.metrics().stream().limit(HEADLINES.size()).toList()));
    }
    return figures;
  }

  @Override
  public Duration time() {
    return extent()
        .time(
            options.warmUp().plus(options.effort().settling().dividedBy(SETTLED_EARLY)),
            options.effort().ramp().plus(options.duration()),
            rounds());
  }

  /** Last-level caches among the CPUs of the engine in this run. */
  public final int engineCaches() {
    return engineCaches;
  }

  /** CPUs of the engine in this run. */
  public final int engineCpus() {
    return engineCpus;
  }

  public final TestbedOptions options() {
    return options;
  }

  final CommandSpec spec() {
    return spec;
  }

  @Override
  public final Integer call() throws IOException, MeasurementException, InterruptedException {
    CpuPlacement placement = placement(BenchmarkJvm.allowedCpus());
    int rounds = rounds();
    prepare(placement);
    options.refuse(unused());
    Path out = options.out();
    if (out != null) {
      ResultFiles.prepare(out);
    }
    Path launcher = PinionScript.path();
    if (!BenchmarkJvm.isConfined()) {
      return BenchmarkJvm.rerunOnLoad(
          placement, spec.root().commandLine().getParseResult().originalArgs());
    }
    UnconfinedMachine machine = UnconfinedMachine.read(BenchmarkJvm.allowedCpus());
    engineCaches = machine.caches(placement.engine());
    Report report;
    try (GracefulShutdown _ = new GracefulShutdown(BenchmarkJvm.starterEnds())) {
      report = measure(launcher, placement, machine, rounds);
    }
    if (options.json()) {
      spec.commandLine().getOut().println(report.json().toPrettyString());
    } else {
      spec.commandLine().getOut().print(report.text());
    }
    spec.commandLine().getOut().flush();
    if (out != null) {
      ResultFiles.write(out, report, Map.of("The machine", machine.drawing("The machine")));
      spec.commandLine()
          .getErr()
          .println("wrote " + out.resolve(ResultFiles.PAGE).toAbsolutePath());
    }
    return ExitCode.OK;
  }

  private Report measure(
      Path launcher, CpuPlacement placement, UnconfinedMachine machine, int rounds)
      throws IOException, MeasurementException, InterruptedException {
    EnvironmentReport environment = environment(BenchmarkJvm.allowedCpus(), placement, rounds);
    for (Map.Entry<String, String> program : versions().entrySet()) {
      environment = environment.with("version of " + program.getKey(), program.getValue());
    }
    Path data = Files.createTempDirectory("pinion-bench");
    try (ExperimentProgressBar progress = new ExperimentProgressBar(experiment());
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
      caveats.addAll(caveats());
      caveats.addAll(ResultsCheck.check(results));
      List<Finding> findings =
          new ArrayList<>(results.stream().flatMap(one -> findings(one).stream()).toList());
      findings.addAll(overall(results));
      return new Report(
          experiment(),
          question(),
          description(),
          caveats,
          environment,
          results,
          findings,
          figures(results));
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
