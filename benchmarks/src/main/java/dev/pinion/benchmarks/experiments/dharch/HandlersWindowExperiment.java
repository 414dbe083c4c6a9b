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
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.ResponseCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment handlers-window}: throughput against the limit of messages under way. */
@Command(
    name = "handlers-window",
    description = "Throughput of a chain against its window, and with an adaptive one.",
    mixinStandardHelpOptions = true)
public final class HandlersWindowExperiment extends TestbedCommand {
  private static final String ADAPTIVE = "adaptive";
  private static final int MAX_WINDOW = 200;
  private static final double TARGET = 0.93;

  @Option(
      names = "--windows",
      split = ",",
      description = "Fixed windows (1,2,3,4,6,8,16,32,64; --quick 1,8,32).")
  private @Nullable List<Integer> windows;

  @Option(
      names = "--clients",
      defaultValue = "128",
      description = "Clients without think time (${DEFAULT-VALUE}).")
  private int clients;

  @Override
  public String experiment() {
    return "handlers-window";
  }

  @Override
  public String question() {
    return "how many messages should be under way in a chain at once";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Throughput of a saturated chain against its window, for a handler that messages compete in:"
            + " where the break-even is, and how near the adaptive window comes to the best fixed one.",
        "DHArch, 3.2: too many messages at once deplete resources, and there is a break-even beyond"
            + " which more make all slower; no figures are given.",
        HardwareRequirement.ANY,
        "The handler updates one of four states in 2 ms as optimistic transactions do: whoever comes"
            + " second begins again. There are as many workers as the largest window. CPU for each"
            + " message shows what is thrown away.");
  }

  @Override
  public Extent extent() {
    return Extent.of(1, windows().size() + 1).withWarm(windows().size());
  }

  private List<Integer> windows() {
    return options().chosen(windows, List.of(1, 2, 3, 4, 6, 8, 16, 32, 64), List.of(1, 8, 32));
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    windows().forEach(each -> TestbedOptions.requireRange("--windows", each, 1, MAX_WINDOW));
    options().load(clients, placement);
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<String> names =
        Stream.concat(windows().stream().map(each -> "" + each), Stream.of(ADAPTIVE)).toList();
    String document = ContentionScenario.calibrated().document(names);
    String file = ChainFiles.write(testbed, "windows", document);
    int workers = windows().stream().mapToInt(each -> each).max().orElseThrow();
    List<String> options = List.of("--file", file, "--workers", Integer.toString(workers));
    ServerProcess server = testbed.chains("chains", testbed.placement().engine(), options);
    LoadSettings load = options().load(clients, testbed.placement());
    List<LoadVariant> variants = new ArrayList<>();
    for (String window : names) {
      LoadRequest request =
          LoadRequest.post(
              server.uri().resolve("/chain/w" + window),
              ContentionScenario.BODY,
              ResponseCheck.success());
      LoadSettings settings = variants.isEmpty() ? load : load.warm(); // shared by all chains
      variants.add(testbed.load(server, List.of(request), 0, settings).under(window, settings));
    }
    return List.of(new Comparison(clients + " clients", variants, names.getFirst()));
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    String best = best(comparisonResults);
    return TargetFinding.atLeast(
            "throughput, adaptive to the best fixed window (" + best + ")",
            comparisonResults.ratios(ADAPTIVE, best, Metric.THROUGHPUT),
            TARGET)
        .toList();
  }

  private static String best(ComparisonResults comparisonResults) {
    return comparisonResults.samples().keySet().stream()
        .filter(name -> !name.equals(ADAPTIVE))
        .max(
            (a, b) ->
                Double.compare(
                    comparisonResults.summary(a, Metric.THROUGHPUT).median(),
                    comparisonResults.summary(b, Metric.THROUGHPUT).median()))
        .orElseThrow();
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    Map<String, Double> places = new LinkedHashMap<>();
    windows().forEach(each -> places.put("" + each, (double) each));
    Axis x = Axis.logarithmic("window", "messages");
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : List.of(Metric.THROUGHPUT, Metric.CPU)) {
      figures.add(
          ResultFigures.acrossVariants(
              "Fixed windows: " + metric.name(), x, results, metric, places));
    }
    figures.addAll(ResultFigures.sideBySide(results.getFirst(), List.of(Metric.THROUGHPUT)));
    return figures;
  }
}
