package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.experiments.moses.BrokerVariant.Churn;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment broker-overhead}: the cost of the broker, also during constant planning. */
@Command(
    name = "broker-overhead",
    description = "Cost of the broker, and of a storm of changes that it plans anew for.",
    mixinStandardHelpOptions = true)
public final class BrokerOverheadExperiment extends BrokerExperiment {
  private static final String STORM = "storm";
  private static final String ASKED = "asked, nothing changed";
  private static final double CPU_TARGET = 1.05;
  private static final double THROUGHPUT_TARGET = 0.95;
  private static final double STORM_TARGET = 1.02;
  private static final double STORM_THROUGHPUT_TARGET = 0.98;
  private static final double HALF = 0.5;

  @Option(
      names = "--clients",
      defaultValue = "64",
      description =
          "Clients without think time; eight times as many requests may be under way at the rate"
              + " (${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--events",
      defaultValue = "100",
      description = "Changes of the registry per second in a storm (${DEFAULT-VALUE}).")
  private int events;

  @Override
  public String experiment() {
    return "broker-overhead";
  }

  @Override
  public String question() {
    return "what it costs that the broker binds every call, and plans anew meanwhile";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "The trip planner with concrete services against the same one bound by the broker for two"
            + " classes with all monitors on, and the same again while --events services a second are"
            + " registered anew, with what they had before or with another price: throughput and processor time at saturation,"
            + " response times at half of what the engine without a broker can do.",
        "MOSES, section 4.2: response times were 108 % longer with the broker than without, from 30 to"
            + " 209 %, at rates at which both were stable.",
        new HardwareRequirement(4, 1),
        "cpu has all processes, the broker's included; \"cpu without broker\" is what binding and"
            + " observing cost in the replica. What a storm costs the data path is its difference to"
            + " the same requests that change nothing: those go through the replicas as any others"
            + " do. Where the engine has one CPU, the broker's process has that of the load. Both"
            + " engines get the same requests, in which users name their class.");
  }

  @Override
  public Extent extent() {
    return Extent.of(3, 9).withWarm(4);
  }

  @Override
  public void check(CpuPlacement placement) {
    options().load(clients, placement);
    TestbedOptions.requireRange("--events", events, 1, 1_000);
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings closed = options().load(clients, testbed.placement());
    List<BrokerEngine> engines = engines(testbed);
    BrokerVariant plain = engines.getFirst().under(UNBROKERED, closed);
    BrokerVariant brokered = engines.getLast().under(BROKERED, closed);
    Churn asked = new Churn(testbed.stub().uri(), events, false);
    Churn churn = new Churn(testbed.stub().uri(), events, true);
    double rate = OfferedRate.share(HALF, capacity(plain));
    LoadSettings half = closed.warm().arriving(new Arrivals(Pattern.POISSON, rate), 8 * clients);
    return List.of(
        new Comparison(
            "saturated, " + clients + " clients",
            List.of(
                plain,
                brokered,
                brokered.during(ASKED, closed, asked),
                brokered.during(STORM, closed, churn)),
            UNBROKERED),
        new Comparison(
            "half of it, " + Math.round(rate) + "/s",
            List.of(
                plain.under(UNBROKERED, half),
                brokered.under(BROKERED, half),
                brokered.during(ASKED, half, asked),
                brokered.during(STORM, half, churn)),
            UNBROKERED));
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    String at = ", " + comparisonResults.title();
    Stream<Finding> both =
        Stream.of(
                TargetFinding.atMost(
                    "processor time, brokered" + at,
                    comparisonResults.ratios(BROKERED, UNBROKERED, Metric.CPU),
                    CPU_TARGET),
                TargetFinding.atMost(
                    "the same without the broker" + at,
                    comparisonResults.ratios(BROKERED, UNBROKERED, BrokerVariant.DATA_PATH),
                    CPU_TARGET),
                TargetFinding.atMost(
                    "the same in a storm, to requests that change nothing" + at,
                    comparisonResults.ratios(STORM, ASKED, BrokerVariant.DATA_PATH),
                    STORM_TARGET),
                comparisonResults
                    .ratio(STORM, BROKERED, BrokerVariant.DATA_PATH)
                    .map(r -> new Finding("the same in a storm, to brokered" + at, r, "no target"))
                    .stream())
            .flatMap(each -> each);
    boolean saturated = comparisonResults.title().startsWith("saturated");
    return Stream.concat(
            both, saturated ? throughput(comparisonResults, at) : times(comparisonResults, at))
        .toList();
  }

  private static Stream<Finding> throughput(ComparisonResults comparisonResults, String at) {
    return Stream.concat(
        TargetFinding.atLeast(
            "throughput, brokered" + at,
            comparisonResults.ratios(BROKERED, UNBROKERED, Metric.THROUGHPUT),
            THROUGHPUT_TARGET),
        TargetFinding.atLeast(
            "throughput in a storm, to requests that change nothing" + at,
            comparisonResults.ratios(STORM, ASKED, Metric.THROUGHPUT),
            STORM_THROUGHPUT_TARGET));
  }

  private static Stream<Finding> times(ComparisonResults comparisonResults, String at) {
    return comparisonResults
        .ratio(BROKERED, UNBROKERED, Metric.P99)
        .map(ratio -> new Finding("p99, brokered" + at, ratio, spread(comparisonResults)))
        .stream();
  }

  /** Target of the 99th percentile: within its own variation. */
  private static String spread(ComparisonResults comparisonResults) {
    SampleSummary own = comparisonResults.summary(UNBROKERED, Metric.P99);
    double brokered = comparisonResults.summary(BROKERED, Metric.P99).median();
    return brokered <= own.max()
        ? "within the spread of the unbrokered one"
        : "beyond the spread of the unbrokered one";
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (ComparisonResults one : results) {
      figures.addAll(
          ResultFigures.sideBySide(
              one, List.of(Metric.THROUGHPUT, Metric.P99, Metric.CPU, BrokerVariant.DATA_PATH)));
    }
    return figures;
  }
}
