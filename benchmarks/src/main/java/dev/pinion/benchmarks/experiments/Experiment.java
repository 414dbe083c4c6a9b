package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Description of an experiment that measures whole processes: what it asks and shows, its options,
 * what it compares, and what follows from the results. {@link TestbedCommand} runs it. Declared
 * once and not changed afterwards.
 */
public final class Experiment {
  private static final List<Metric> HEADLINES = List.of(Metric.THROUGHPUT, Metric.P99, Metric.CPU);

  final String name;
  final List<String> help;
  Function<ExperimentRun, String> question = run -> "";
  List<ExperimentOption<?>> options = List.of();
  BiFunction<TestbedOptions, CpuSet, CpuPlacement> placement = TestbedOptions::placement;
  Function<ExperimentRun, Set<String>> unused = run -> Set.of();
  Function<ExperimentRun, Duration> time = run -> Duration.ZERO;
  Consumer<ExperimentRun> check = run -> {};
  Setup setup = (run, testbed) -> List.of();
  BiFunction<ExperimentRun, ComparisonResults, Stream<Finding>> findings =
      (run, one) -> Stream.of();
  BiFunction<ExperimentRun, List<ComparisonResults>, Stream<Finding>> overall =
      (run, all) -> Stream.of();
  BiFunction<ExperimentRun, List<ComparisonResults>, List<Figure>> figures =
      (run, all) -> headlines(all);
  Function<ExperimentRun, List<String>> caveats = run -> List.of();
  Programs programs = Map::of;
  private String shows = "";
  private String source = "";
  private HardwareRequirement hardware = HardwareRequirement.ANY;
  private String reading = "";

  /** Starts the processes of a run. */
  @FunctionalInterface
  public interface Setup {
    /** What is compared. */
    List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
        throws MeasurementException, InterruptedException;
  }

  /** Finds other participating programs. */
  @FunctionalInterface
  public interface Programs {
    /** Their versions, by name. */
    Map<String, String> versions() throws IOException;
  }

  private Experiment(String name, List<String> help) {
    this.name = name;
    this.help = help;
  }

  /**
   * An experiment without options and comparisons.
   *
   * @param help its description in help, in paragraphs
   */
  public static Experiment named(String name, String... help) {
    return new Experiment(name, List.of(help));
  }

  /** The question that it answers. */
  public Experiment question(String text) {
    return question(run -> text);
  }

  /** The question that it answers, by its options. */
  public Experiment question(Function<ExperimentRun, String> text) {
    question = text;
    return this;
  }

  /** Its purpose, a sentence. */
  public Experiment shows(String text) {
    shows = text;
    return this;
  }

  /** The paper and figure that it repeats, and their result. */
  public Experiment source(String text) {
    source = text;
    return this;
  }

  /** Hardware that makes it meaningful; any two CPUs without this. */
  public Experiment needs(int cpus, int caches) {
    hardware = new HardwareRequirement(cpus, caches);
    return this;
  }

  /** How to read it, beyond the general rules. */
  public Experiment reading(String text) {
    reading = text;
    return this;
  }

  /** Its options. */
  public Experiment options(ExperimentOption<?>... own) {
    options = List.of(own);
    return this;
  }

  /** CPUs of engine and load among the allowed ones; one for the engine without this. */
  public Experiment placement(BiFunction<TestbedOptions, CpuSet, CpuPlacement> rule) {
    placement = rule;
    return this;
  }

  /** Options among {@code --seconds} and {@code --warmup} without meaning for it. */
  public Experiment unused(String... names) {
    return unused(run -> Set.of(names));
  }

  /** The same, by its options. */
  public Experiment unused(Function<ExperimentRun, Set<String>> names) {
    unused = names;
    return this;
  }

  /** Its extent, from which and the load its approximate time follows. */
  public Experiment extent(Function<ExperimentRun, Extent> of) {
    return time(run -> run.time(of.apply(run)));
  }

  /** Its approximate time, where that does not follow from its extent and the load. */
  public Experiment time(Function<ExperimentRun, Duration> of) {
    time = of;
    return this;
  }

  /** Checks what ranges of options do not, before anything is started. */
  public Experiment check(Consumer<ExperimentRun> of) {
    check = of;
    return this;
  }

  /** What it compares. */
  public Experiment compares(Setup of) {
    setup = of;
    return this;
  }

  /** Ratios to report by name, of each comparison. */
  public Experiment findings(BiFunction<ExperimentRun, ComparisonResults, Stream<Finding>> of) {
    findings = of;
    return this;
  }

  /** Ratios to report by name, over all comparisons. */
  public Experiment overall(
      BiFunction<ExperimentRun, List<ComparisonResults>, Stream<Finding>> of) {
    overall = of;
    return this;
  }

  /** Plots of the results; the main metrics of each comparison without this. */
  public Experiment figures(BiFunction<ExperimentRun, List<ComparisonResults>, List<Figure>> of) {
    figures = of;
    return this;
  }

  /** Plots of these metrics of each comparison: its variants side by side. */
  public Experiment figures(Metric... metrics) {
    return figures((run, all) -> ResultFigures.sideBySide(all, metrics));
  }

  /** Reasons why the numbers of a run say less than they could, beyond the general ones. */
  public Experiment caveats(Function<ExperimentRun, List<String>> of) {
    caveats = of;
    return this;
  }

  /** Versions of other participating programs. */
  public Experiment programs(Programs of) {
    programs = of;
    return this;
  }

  ExperimentDescription description() {
    return new ExperimentDescription(shows, source, hardware, reading);
  }

  private static List<Figure> headlines(List<ComparisonResults> all) {
    return all.stream()
        .flatMap(one -> ResultFigures.sideBySide(one, headlines(one)).stream())
        .toList();
  }

  private static List<Metric> headlines(ComparisonResults one) {
    return one.metrics().contains(Metric.THROUGHPUT)
        ? HEADLINES.stream().filter(one.metrics()::contains).toList()
        : one.metrics().stream().limit(HEADLINES.size()).toList();
  }
}
