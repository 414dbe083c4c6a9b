package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.ResponseCheck;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** {@code experiment handlers-rate}: response times of three chains against the rate. */
public final class HandlersRateExperiment {
  /** The paper gained more than 30 % at every rate. */
  private static final double AS_IN_THE_PAPER = 0.7;

  private static final String SEQUENTIAL = "sequential";
  private static final String PARALLEL = "parallel";

  /** Paths of the chains by name, in the order of reports. */
  private static final Map<String, String> PATHS = new LinkedHashMap<>();

  static {
    PATHS.put("conventional", "/serial/sequential");
    PATHS.put(SEQUENTIAL, "/chain/sequential");
    PATHS.put(PARALLEL, "/chain/parallel");
  }

  private static final int MOST_AT_ONCE = 128;
  private static final int MAX_RATE = 10_000;

  /** Time of the three handlers of a message together, in ms. */
  private static final double HANDLERS_MILLIS = 4;

  /** Factor beyond the capacity of the CPUs, so that every chain shows its limit. */
  private static final double BEYOND_LIMIT = 1.3;

  private static final int RATES_OF_A_SWEEP = 10;

  private static final ExperimentOption<Double> TIMES =
      ExperimentOption.of("--times", 1.0)
          .checked(HandlersRateExperiment::checkTimes)
          .help("How many times as long handlers take: 1 is 4 ms together");

  private static final ExperimentOption<Integer> STEP =
      ExperimentOption.number("--step")
          .from(1, MAX_RATE)
          .says("Messages/s from rate to rate (a tenth of --most).");

  private static final ExperimentOption<Integer> MOST =
      ExperimentOption.number("--most")
          .from(1, MAX_RATE)
          .says(
              "The highest rate of the sweep (a third beyond what the CPUs of the engine can do).");

  private static final ExperimentOption<List<Integer>> RATES =
      ExperimentOption.numbers("--rates")
          .from(1, MAX_RATE)
          .says("Messages/s (1, then --step more each time up to --most; --quick three of them).");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "handlers-rate", "Response time of chains of handlers against messages per second.")
          .question("how response times of chains grow with the rate of messages")
          .shows(
              "Response time against messages per second: a conventional chain on a thread for"
                  + " each request, a chain whose handlers run one after another behind a window,"
                  + " and one whose handlers run side by side.")
          .source(
              "DHArch, Fig. 10: the conventional chain slows down with every message more and"
                  + " steeply at its limit, the others stay level up to 160 messages/s on eight"
                  + " machines; side by side gains more than 30 % at every rate.")
          .needs(4, 1)
          .reading(
              "Messages are due at equal intervals; times count from then. Logger, Monitor and"
                  + " Format Converter take 1, 1 and 2 ms times --times, so side by side at most"
                  + " half of the time can be gained. Rates go a third beyond what the CPUs can do:"
                  + " there the conventional chain has every message under way at once, the others"
                  + " a window of them.")
          .options(TIMES, STEP, MOST, RATES)
          .extent(run -> Extent.sweep(1, 3, rates(run).size()))
          .placement(TestbedOptions::placementOfReplicas)
          .compares(HandlersRateExperiment::comparisons)
          .findings(
              (run, one) ->
                  TargetFinding.atMost(
                      "median time, parallel to sequential, " + one.title(),
                      one.ratios(PARALLEL, SEQUENTIAL, Metric.P50),
                      AS_IN_THE_PAPER))
          .figures(
              (run, all) ->
                  ResultFigures.over(
                      "Logger, Monitor, Format Converter",
                      Axis.linear("messages", "1/s"),
                      rates(run),
                      all,
                      Metric.P50,
                      Metric.P99,
                      Metric.CPU));

  private HandlersRateExperiment() {}

  private static void checkTimes(double times) {
    if (!(times >= 0.1 && times <= 100)) {
      throw new IllegalArgumentException("expected --times from 0.1 to 100, found " + times);
    }
  }

  private static List<Integer> rates(ExperimentRun run) {
    if (run.isGiven(RATES)) {
      return run.get(RATES);
    }
    int most = most(run);
    if (run.isQuick()) {
      return List.of(1, Math.max(2, most / 2), most);
    }
    int step = run.isGiven(STEP) ? run.get(STEP) : Math.max(1, most / RATES_OF_A_SWEEP);
    return IntStream.iterate(1, rate -> rate <= most, rate -> rate + step).boxed().toList();
  }

  /** Highest rate, by the time of the handlers and the CPUs, which all chains share. */
  private static int most(ExperimentRun run) {
    double limit = run.engineCpus() * 1_000 / (HANDLERS_MILLIS * run.get(TIMES));
    return run.isGiven(MOST)
        ? run.get(MOST)
        : Math.clamp(Math.round(BEYOND_LIMIT * limit), RATES_OF_A_SWEEP, MAX_RATE);
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    FormatConversionScenario handlers = FormatConversionScenario.calibrated(run.get(TIMES));
    String file = ChainFiles.write(testbed, "rate", handlers.document());
    ServerProcess server =
        testbed.chains("chains", testbed.placement().engine(), List.of("--file", file));
    LoadSettings few = run.load(2);
    List<Comparison> comparisons = new ArrayList<>();
    for (int rate : rates(run)) {
      LoadSettings open =
          few.warmIf(!comparisons.isEmpty())
              .arriving(new Arrivals(Arrivals.Pattern.CONSTANT, rate), MOST_AT_ONCE);
      List<LoadVariant> variants = new ArrayList<>();
      PATHS.forEach(
          (name, path) -> {
            LoadRequest request = request(server.uri().resolve(path), handlers);
            variants.add(testbed.load(server, List.of(request), 0, open).under(name, open));
          });
      comparisons.add(new Comparison(rate + " messages/s", variants, SEQUENTIAL));
    }
    return comparisons;
  }

  private static LoadRequest request(URI uri, FormatConversionScenario handlers) {
    Map<String, String> headers = Map.of("content-type", "text/csv");
    return new LoadRequest("POST", uri, headers, handlers.body(), ResponseCheck.success());
  }
}
