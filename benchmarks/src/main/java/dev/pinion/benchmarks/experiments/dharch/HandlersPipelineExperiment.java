package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.chart.LineChart;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment handlers-pipeline}: successive messages, against the prediction. */
@Command(
    name = "handlers-pipeline",
    description = "Time for N messages that follow each other through stages, against prediction.",
    mixinStandardHelpOptions = true)
public final class HandlersPipelineExperiment extends TestbedCommand {
  private static final int SERVICE_MILLIS = 8;
  private static final int HANDLER_MILLIS = 5;
  private static final int HANDLERS = 4;
  private static final int MAX_MESSAGES = 200;

  @Option(
      names = "--messages",
      split = ",",
      description = "Messages at once (1,10,20,50,100,200; --quick 1,20,100).")
  private @Nullable List<Integer> messages;

  @Override
  public String experiment() {
    return "handlers-pipeline";
  }

  @Override
  public String question() {
    return "what messages take that follow each other through stages";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Time until the last of N messages is through a service and four handlers, one after another"
            + " and side by side, beside the prediction of handlers explain.",
        "DHArch, equations 6 and 7: T0 + (P - 1 + N) W one after another, T0 + N W side by side. They"
            + " hold only where the service takes no longer than a handler; here it does.",
        HardwareRequirement.ANY,
        "Each is a station that serves one message at a time: the service 8 ms, each handler 5 ms,"
            + " waited for and not computed. Predicted is the sum of the stages and, for each further"
            + " message, the longest one.");
  }

  @Override
  public Extent extent() {
    return Extent.of(1, 2 * numbers().size());
  }

  @Override
  public Duration time() {
    long millis =
        numbers().stream().mapToLong(n -> 2L * line(false).longestMillis() * (n + 3L)).sum();
    return Duration.ofMillis(millis * (options().rounds() + 1)).plusSeconds(4);
  }

  private List<Integer> numbers() {
    return options().chosen(messages, List.of(1, 10, 20, 50, 100, 200), List.of(1, 20, 100));
  }

  private static StationPipeline line(boolean parallel) {
    return new StationPipeline(SERVICE_MILLIS, HANDLER_MILLIS, HANDLERS, parallel);
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    numbers().forEach(each -> TestbedOptions.requireRange("--messages", each, 1, MAX_MESSAGES));
  }

  @Override
  public Set<String> unused() {
    return Set.of("--seconds", "--warmup");
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<StationPipeline> lines = List.of(line(false), line(true));
    List<String> chains = lines.stream().map(each -> each.chain(MAX_MESSAGES)).toList();
    String file = ChainFiles.write(testbed, "pipeline", ChainDocument.document(chains));
    // A worker for each handler that runs side by side: a worker continues when its station has
    // replied.
    List<String> options = List.of("--file", file, "--workers", Integer.toString(HANDLERS));
    ServerProcess server = testbed.chains("chains", testbed.placement().engine(), options);
    List<Comparison> comparisons = new ArrayList<>();
    for (int number : numbers()) {
      comparisons.add(
          new Comparison(
              number == 1 ? "1 message" : number + " messages",
              lines.stream().map(each -> new BurstVariant(each, server, number)).toList(),
              line(false).name()));
    }
    return comparisons;
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    List<Finding> findings = new ArrayList<>();
    for (String variant : comparisonResults.samples().keySet()) {
      SampleSummary measured = comparisonResults.summary(variant, BurstVariant.MEASURED);
      double predicted = comparisonResults.summary(variant, BurstVariant.PREDICTED).median();
      double paper = comparisonResults.summary(variant, BurstVariant.PAPER).median();
      findings.add(
          new Finding(
              "measured to predicted, " + comparisonResults.title() + ", " + variant,
              new SampleSummary(
                  measured.median() / predicted,
                  measured.min() / predicted,
                  measured.max() / predicted),
              String.format(
                  Locale.ROOT, "to the paper's equation %.2f", measured.median() / paper)));
    }
    return findings;
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<LineChart.Series> series = new ArrayList<>();
    for (StationPipeline line : List.of(line(false), line(true))) {
      for (Metric metric :
          List.of(BurstVariant.MEASURED, BurstVariant.PREDICTED, BurstVariant.PAPER)) {
        List<LineChart.Point> points = new ArrayList<>();
        for (ComparisonResults one : results) {
          points.add(
              new LineChart.Point(
                  numbers().get(results.indexOf(one)),
                  ResultFigures.interval(one.summary(line.name(), metric))));
        }
        series.add(new LineChart.Series(line.name() + ", " + metric.name(), points));
      }
    }
    return List.of(
        new LineChart(
            "Until the last message is through",
            Axis.linear("messages", ""),
            Axis.linear("time", "ms"),
            series));
  }
}
