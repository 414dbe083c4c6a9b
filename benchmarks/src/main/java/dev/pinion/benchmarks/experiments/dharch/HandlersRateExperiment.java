package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.load.Arrivals;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.ResponseCheck;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment handlers-rate}: response times of three chains against the rate. */
@Command(
    name = "handlers-rate",
    description = "Response time of chains of handlers against messages per second.",
    mixinStandardHelpOptions = true)
public final class HandlersRateExperiment extends TestbedCommand {
  /** The paper gained more than 30 % at every rate. */
  private static final double AS_IN_THE_PAPER = 0.7;

  private static final String CONVENTIONAL = "conventional";
  private static final String SEQUENTIAL = "sequential";
  private static final String PARALLEL = "parallel";
  private static final int MOST_AT_ONCE = 128;
  private static final int MAX_RATE = 10_000;

  /** Time of the three handlers of a message together, in ms. */
  private static final double HANDLERS_MILLIS = 4;

  /** Factor beyond the capacity of the CPUs, so that every chain shows its limit. */
  private static final double BEYOND_LIMIT = 1.3;

  private static final int RATES = 10;

  @Option(
      names = "--rates",
      split = ",",
      description =
          "Messages/s (1, then --step more each time up to --most; --quick three of them).")
  private @Nullable List<Integer> rates;

  @Option(
      names = "--most",
      description =
          "The highest rate of the sweep (a third beyond what the CPUs of the engine can do).")
  private @Nullable Integer most;

  @Option(names = "--step", description = "Messages/s from rate to rate (a tenth of --most).")
  private @Nullable Integer step;

  @Option(
      names = "--times",
      defaultValue = "1",
      description = "How many times as long handlers take: 1 is 4 ms together (${DEFAULT-VALUE}).")
  private double times;

  @Override
  public String experiment() {
    return "handlers-rate";
  }

  @Override
  public String question() {
    return "how response times of chains grow with the rate of messages";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Response time against messages per second: a conventional chain on a thread for each"
            + " request, a chain whose handlers run one after another behind a window, and one"
            + " whose handlers run side by side.",
        "DHArch, Fig. 10: the conventional chain slows down with every message more and steeply at"
            + " its limit, the others stay level up to 160 messages/s on eight machines; side by"
            + " side gains more than 30 % at every rate.",
        new HardwareRequirement(4, 1),
        "Messages are due at equal intervals; times count from then. Logger, Monitor and Format"
            + " Converter take 1, 1 and 2 ms times --times, so side by side at most half of the"
            + " time can be gained. Rates go a third beyond what the CPUs can do: there the"
            + " conventional chain has every message under way at once, the others a window of"
            + " them.");
  }

  @Override
  public Extent extent() {
    return Extent.of(1, 3 * rates().size()).withWarm(3 * (rates().size() - 1));
  }

  private List<Integer> rates() {
    int highest = most();
    int each = step();
    List<Integer> sweep =
        IntStream.iterate(1, rate -> rate <= highest, rate -> rate + each).boxed().toList();
    return options().chosen(rates, sweep, List.of(1, Math.max(2, highest / 2), highest));
  }

  /** Highest rate, by the time of the handlers and the CPUs, which all chains share. */
  private int most() {
    double limit = Math.max(1, engineCpus()) * 1_000 / (HANDLERS_MILLIS * times);
    return most == null ? Math.clamp(Math.round(BEYOND_LIMIT * limit), RATES, MAX_RATE) : most;
  }

  private int step() {
    return step == null ? Math.max(1, most() / RATES) : step;
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    if (!(times >= 0.1 && times <= 100)) {
      throw new IllegalArgumentException("expected --times from 0.1 to 100, found " + times);
    }
    TestbedOptions.requireRange("--step", step(), 1, MAX_RATE);
    TestbedOptions.requireRange("--most", most(), 1, MAX_RATE);
    rates().forEach(rate -> TestbedOptions.requireRange("--rates", rate, 1, MAX_RATE));
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    FormatConversionScenario handlers = FormatConversionScenario.calibrated(times);
    String file = ChainFiles.write(testbed, "rate", handlers.document());
    ServerProcess server =
        testbed.chains("chains", testbed.placement().engine(), List.of("--file", file));
    Map<String, String> paths =
        Map.of(
            CONVENTIONAL, "/serial/sequential",
            SEQUENTIAL, "/chain/sequential",
            PARALLEL, "/chain/parallel");
    List<Comparison> comparisons = new ArrayList<>();
    for (int rate : rates()) {
      List<LoadVariant> variants = new ArrayList<>();
      for (String name : List.of(CONVENTIONAL, SEQUENTIAL, PARALLEL)) {
        String path = paths.getOrDefault(name, "");
        variants.add(variant(testbed, server, name, path, handlers.body(), rate));
      }
      comparisons.add(new Comparison(rate + " messages/s", variants, SEQUENTIAL));
    }
    return comparisons;
  }

  private LoadVariant variant(
      Testbed testbed, ServerProcess server, String name, String path, String body, int rate) {
    URI uri = server.uri().resolve(path);
    LoadRequest request =
        new LoadRequest(
            "POST", uri, Map.of("content-type", "text/csv"), body, ResponseCheck.success());
    LoadSettings few = options().load(2, testbed.placement());
    LoadSettings open =
        (rate == rates().getFirst() ? few : few.warm())
            .arriving(new Arrivals(Arrivals.Pattern.CONSTANT, rate), MOST_AT_ONCE);
    return testbed.load(server, List.of(request), 0, open).under(name, open);
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    return TargetFinding.atMost(
            "median time, parallel to sequential, " + comparisonResults.title(),
            comparisonResults.ratios(PARALLEL, SEQUENTIAL, Metric.P50),
            AS_IN_THE_PAPER)
        .toList();
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : List.of(Metric.P50, Metric.P99, Metric.CPU)) {
      figures.add(
          ResultFigures.over(
              "Logger, Monitor, Format Converter: " + metric.name(),
              Axis.linear("messages", "1/s"),
              results,
              metric,
              one -> rates().get(results.indexOf(one))));
    }
    return figures;
  }
}
