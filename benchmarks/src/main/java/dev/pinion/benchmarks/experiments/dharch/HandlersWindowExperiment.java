package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
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
import dev.pinion.benchmarks.experiments.TargetFinding;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.ResponseCheck;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code experiment handlers-window}: throughput against the limit of messages under way. */
public final class HandlersWindowExperiment {
  private static final String ADAPTIVE = "adaptive";
  private static final double TARGET = 0.93;

  private static final ExperimentOption<List<Integer>> WINDOWS =
      ExperimentOption.numbers("--windows", 1, 2, 3, 4, 6, 8, 16, 32, 64)
          .quick(List.of(1, 8, 32))
          .from(1, 200)
          .help("Fixed windows");

  private static final ExperimentOption<Integer> CLIENTS =
      CommonOptions.clients(128, "Clients without think time");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "handlers-window",
              "Throughput of a chain against its window, and with an adaptive one.")
          .question("how many messages should be under way in a chain at once")
          .shows(
              "Throughput of a saturated chain against its window, for a handler that messages"
                  + " compete in: where the break-even is, and how near the adaptive window comes"
                  + " to the best fixed one.")
          .source(
              "DHArch, 3.2: too many messages at once deplete resources, and there is a"
                  + " break-even beyond which more make all slower; no figures are given.")
          .reading(
              "The handler updates one of four states in 2 ms as optimistic transactions do:"
                  + " whoever comes second begins again. There are as many workers as the largest"
                  + " window. CPU for each message shows what is thrown away.")
          .options(WINDOWS, CLIENTS)
          .extent(run -> Extent.of(1, windows(run) + 1).withWarm(windows(run)))
          .placement(TestbedOptions::placementOfReplicas)
          .compares((run, testbed) -> List.of(comparison(run, testbed)))
          .findings(HandlersWindowExperiment::findings)
          .figures(HandlersWindowExperiment::figures);

  private HandlersWindowExperiment() {}

  private static int windows(ExperimentRun run) {
    return run.get(WINDOWS).size();
  }

  private static Comparison comparison(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<String> names = new ArrayList<>();
    run.get(WINDOWS).forEach(each -> names.add(each.toString()));
    names.add(ADAPTIVE);
    String document = ContentionScenario.calibrated().document(names);
    String file = ChainFiles.write(testbed, "windows", document);
    String workers = Collections.max(run.get(WINDOWS)).toString();
    List<String> options = List.of("--file", file, "--workers", workers);
    ServerProcess server = testbed.chains("chains", testbed.placement().engine(), options);
    LoadSettings load = run.load(run.get(CLIENTS));
    List<LoadVariant> variants = new ArrayList<>();
    for (String window : names) {
      LoadRequest request =
          LoadRequest.post(
              server.uri().resolve("/chain/w" + window),
              ContentionScenario.BODY,
              ResponseCheck.success());
      LoadSettings settings = load.warmIf(!variants.isEmpty()); // shared by all chains
      variants.add(testbed.load(server, List.of(request), 0, settings).under(window, settings));
    }
    return new Comparison(run.get(CLIENTS) + " clients", variants, names.getFirst());
  }

  private static Stream<Finding> findings(ExperimentRun run, ComparisonResults one) {
    String best = best(one);
    return TargetFinding.atLeast(
        "throughput, adaptive to the best fixed window (" + best + ")",
        one.ratios(ADAPTIVE, best, Metric.THROUGHPUT),
        TARGET);
  }

  private static String best(ComparisonResults one) {
    return one.samples().keySet().stream()
        .filter(name -> !name.equals(ADAPTIVE))
        .max(Comparator.comparingDouble(name -> one.summary(name, Metric.THROUGHPUT).median()))
        .orElseThrow();
  }

  private static List<Figure> figures(ExperimentRun run, List<ComparisonResults> all) {
    Map<String, Integer> places = new LinkedHashMap<>();
    run.get(WINDOWS).forEach(each -> places.put(each.toString(), each));
    Axis x = Axis.logarithmic("window", "messages");
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : List.of(Metric.THROUGHPUT, Metric.CPU)) {
      String title = "Fixed windows: " + metric.name();
      figures.add(ResultFigures.acrossVariants(title, x, all, metric, places));
    }
    figures.addAll(ResultFigures.sideBySide(all, Metric.THROUGHPUT));
    return figures;
  }
}
