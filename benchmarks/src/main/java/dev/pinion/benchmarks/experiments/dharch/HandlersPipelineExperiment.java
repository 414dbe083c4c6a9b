package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.chart.Interval;
import dev.pinion.benchmarks.chart.LineChart;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** {@code experiment handlers-pipeline}: successive messages, against the prediction. */
public final class HandlersPipelineExperiment {
  private static final int SERVICE_MILLIS = 8;
  private static final int HANDLER_MILLIS = 5;
  private static final int HANDLERS = 4;
  private static final int MAX_MESSAGES = 200;

  private static final StationPipeline SEQUENTIAL = pipeline(false);
  private static final List<StationPipeline> BOTH = List.of(SEQUENTIAL, pipeline(true));

  private static final ExperimentOption<List<Integer>> MESSAGES =
      ExperimentOption.numbers("--messages", 1, 10, 20, 50, 100, 200)
          .quick(List.of(1, 20, 100))
          .from(1, MAX_MESSAGES)
          .help("Messages at once");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "handlers-pipeline",
              "Time for N messages that follow each other through stages, against prediction.")
          .question("what messages take that follow each other through stages")
          .shows(
              "Time until the last of N messages is through a service and four handlers, one"
                  + " after another and side by side, beside the prediction of handlers explain.")
          .source(
              "DHArch, equations 6 and 7: T0 + (P - 1 + N) W one after another, T0 + N W side"
                  + " by side. They hold only where the service takes no longer than a handler;"
                  + " here it does.")
          .reading(
              "Each is a station that serves one message at a time: the service 8 ms, each"
                  + " handler 5 ms, waited for and not computed. Predicted is the sum of the stages"
                  + " and, for each further message, the longest one.")
          .options(MESSAGES)
          .placement(TestbedOptions::placementOfReplicas)
          .unused("--seconds", "--warmup")
          .time(HandlersPipelineExperiment::time)
          .compares(HandlersPipelineExperiment::comparisons)
          .findings((run, one) -> findings(one))
          .figures((run, all) -> List.of(figure(run, all)));

  private HandlersPipelineExperiment() {}

  private static StationPipeline pipeline(boolean parallel) {
    return new StationPipeline(SERVICE_MILLIS, HANDLER_MILLIS, HANDLERS, parallel);
  }

  private static Duration time(ExperimentRun run) {
    long millis =
        run.get(MESSAGES).stream()
            .mapToLong(each -> 2L * SEQUENTIAL.longestMillis() * (each + 3L))
            .sum();
    return Duration.ofMillis(millis * (run.rounds() + 1)).plusSeconds(4);
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    List<String> chains = BOTH.stream().map(each -> each.chain(MAX_MESSAGES)).toList();
    String file = ChainFiles.write(testbed, "pipeline", ChainDocument.document(chains));
    // A worker for each handler that runs side by side: a worker continues when its station has
    // replied.
    List<String> options = List.of("--file", file, "--workers", Integer.toString(HANDLERS));
    ServerProcess server = testbed.chains("chains", testbed.placement().engine(), options);
    List<Comparison> comparisons = new ArrayList<>();
    for (int number : run.get(MESSAGES)) {
      comparisons.add(
          new Comparison(
              number == 1 ? "1 message" : number + " messages",
              BOTH.stream().map(each -> new BurstVariant(each, server, number)).toList(),
              SEQUENTIAL.name()));
    }
    return comparisons;
  }

  private static Stream<Finding> findings(ComparisonResults one) {
    return one.samples().keySet().stream().map(variant -> finding(one, variant));
  }

  private static Finding finding(ComparisonResults one, String variant) {
    SampleSummary measured = one.summary(variant, BurstVariant.MEASURED);
    double predicted = one.summary(variant, BurstVariant.PREDICTED).median();
    double paper = one.summary(variant, BurstVariant.PAPER).median();
    return new Finding(
        "measured to predicted, " + one.title() + ", " + variant,
        new SampleSummary(
            measured.median() / predicted, measured.min() / predicted, measured.max() / predicted),
        String.format(Locale.ROOT, "to the paper's equation %.2f", measured.median() / paper));
  }

  private static Figure figure(ExperimentRun run, List<ComparisonResults> all) {
    List<LineChart.Series> series = new ArrayList<>();
    for (StationPipeline each : BOTH) {
      for (Metric metric :
          List.of(BurstVariant.MEASURED, BurstVariant.PREDICTED, BurstVariant.PAPER)) {
        List<LineChart.Point> points = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
          Interval time = ResultFigures.interval(all.get(i).summary(each.name(), metric));
          points.add(new LineChart.Point(run.get(MESSAGES).get(i), time));
        }
        series.add(new LineChart.Series(each.name() + ", " + metric.name(), points));
      }
    }
    return new LineChart(
        "Until the last message is through",
        Axis.linear("messages", ""),
        Axis.linear("time", "ms"),
        series);
  }
}
