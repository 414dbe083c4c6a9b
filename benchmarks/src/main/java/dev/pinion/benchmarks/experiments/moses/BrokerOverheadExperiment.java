package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.OfferedRate;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.moses.BrokerVariant.Churn;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** {@code experiment broker-overhead}: the cost of the broker, also during constant planning. */
public final class BrokerOverheadExperiment {
  private static final String UNBROKERED = BrokerExperiment.UNBROKERED;
  private static final String BROKERED = BrokerExperiment.BROKERED;
  private static final String STORM = "storm";
  private static final String ASKED = "asked, nothing changed";
  private static final double CPU_TARGET = 1.05;
  private static final double THROUGHPUT_TARGET = 0.95;
  private static final double STORM_TARGET = 1.02;
  private static final double STORM_THROUGHPUT_TARGET = 0.98;
  private static final double HALF = 0.5;

  private static final ExperimentOption<Integer> CLIENTS =
      CommonOptions.clients(
          64,
          "Clients without think time; eight times as many requests may be under way at the rate");

  private static final ExperimentOption<Integer> EVENTS =
      ExperimentOption.of("--events", 100)
          .from(1, 1_000)
          .help("Changes of the registry per second in a storm");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "broker-overhead",
              "Cost of the broker, and of a storm of changes that it plans anew for.")
          .question("what it costs that the broker binds every call, and plans anew meanwhile")
          .shows(
              "The trip planner with concrete services against the same one bound by the broker"
                  + " for two classes with all monitors on, and the same again while --events"
                  + " services a second are registered anew, with what they had before or with"
                  + " another price: throughput and processor time at saturation, response times at"
                  + " half of what the engine without a broker can do.")
          .source(
              "MOSES, section 4.2: response times were 108 % longer with the broker than"
                  + " without, from 30 to 209 %, at rates at which both were stable.")
          .needs(4, 1)
          .reading(
              "cpu has all processes, the broker's included; \"cpu without broker\" is what"
                  + " binding and observing cost in the replica. What a storm costs the data path"
                  + " is its difference to the same requests that change nothing: those go through"
                  + " the replicas as any others do. Where the engine has one CPU, the broker's"
                  + " process has that of the load. Both engines get the same requests, in which"
                  + " users name their class.")
          .options(CLIENTS, EVENTS)
          .extent(run -> Extent.of(3, 9).withWarm(4))
          .placement(BrokerExperiment::placement)
          .compares(BrokerOverheadExperiment::comparisons)
          .findings((run, one) -> findings(one))
          .figures(Metric.THROUGHPUT, Metric.P99, Metric.CPU, BrokerVariant.DATA_PATH);

  private BrokerOverheadExperiment() {}

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    int clients = run.get(CLIENTS);
    LoadSettings closed = run.load(clients);
    List<BrokerVariant> pair = BrokerExperiment.pair(testbed, closed);
    Churn asked = new Churn(testbed.stub().uri(), run.get(EVENTS), false);
    Churn churn = new Churn(testbed.stub().uri(), run.get(EVENTS), true);
    double capacity = OfferedRate.capacity(pair.getFirst().load());
    double rate = OfferedRate.share(HALF, capacity);
    LoadSettings half = closed.warm().arriving(new Arrivals(Pattern.POISSON, rate), 8 * clients);
    List<Comparison> comparisons = new ArrayList<>();
    for (LoadSettings load : List.of(closed, half)) {
      BrokerVariant brokered = pair.getLast().under(BROKERED, load);
      comparisons.add(
          new Comparison(
              comparisons.isEmpty()
                  ? "saturated, " + clients + " clients"
                  : "half of it, " + Math.round(rate) + "/s",
              List.of(
                  pair.getFirst().under(UNBROKERED, load),
                  brokered,
                  brokered.during(ASKED, load, asked),
                  brokered.during(STORM, load, churn)),
              UNBROKERED));
    }
    return comparisons;
  }

  private static Stream<Finding> findings(ComparisonResults one) {
    String at = ", " + one.title();
    return Stream.of(
            TargetFinding.atMost(
                "processor time, brokered" + at,
                one.ratios(BROKERED, UNBROKERED, Metric.CPU),
                CPU_TARGET),
            TargetFinding.atMost(
                "the same without the broker" + at,
                one.ratios(BROKERED, UNBROKERED, BrokerVariant.DATA_PATH),
                CPU_TARGET),
            TargetFinding.atMost(
                "the same in a storm, to requests that change nothing" + at,
                one.ratios(STORM, ASKED, BrokerVariant.DATA_PATH),
                STORM_TARGET),
            one.finding(
                "the same in a storm, to brokered" + at,
                STORM,
                BROKERED,
                BrokerVariant.DATA_PATH,
                "no target"),
            one.title().startsWith("saturated")
                ? throughput(one, at)
                : one.finding("p99, brokered" + at, BROKERED, UNBROKERED, Metric.P99, spread(one)))
        .flatMap(each -> each);
  }

  private static Stream<Finding> throughput(ComparisonResults one, String at) {
    return Stream.concat(
        TargetFinding.atLeast(
            "throughput, brokered" + at,
            one.ratios(BROKERED, UNBROKERED, Metric.THROUGHPUT),
            THROUGHPUT_TARGET),
        TargetFinding.atLeast(
            "throughput in a storm, to requests that change nothing" + at,
            one.ratios(STORM, ASKED, Metric.THROUGHPUT),
            STORM_THROUGHPUT_TARGET));
  }

  /** Target of the 99th percentile: within its own variation. */
  private static String spread(ComparisonResults one) {
    double brokered = one.summary(BROKERED, Metric.P99).median();
    return brokered <= one.summary(UNBROKERED, Metric.P99).max()
        ? "within the spread of the unbrokered one"
        : "beyond the spread of the unbrokered one";
  }
}
