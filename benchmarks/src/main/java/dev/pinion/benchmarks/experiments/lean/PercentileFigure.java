package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.chart.LineChart;
import dev.pinion.benchmarks.chart.LineChart.Point;
import dev.pinion.benchmarks.chart.LineChart.Series;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.LoadVariant;
import java.util.ArrayList;
import java.util.List;

/** Percentiles of response times as a plot: the time of one request in N. */
final class PercentileFigure {
  private PercentileFigure() {}

  /** The percentiles of {@link LoadVariant#TAIL} of all variants; both axes are logarithmic. */
  static Figure of(ComparisonResults results) {
    List<Series> series = new ArrayList<>();
    for (String variant : results.samples().keySet()) {
      List<Point> points = new ArrayList<>();
      for (String percent : LoadVariant.TAIL) {
        double oneIn = 100 / (100 - Double.parseDouble(percent));
        points.add(
            new Point(
                oneIn,
                ResultFigures.interval(results.summary(variant, Metric.percentile(percent)))));
      }
      series.add(new Series(variant, points));
    }
    return new LineChart(
        results.title() + ": response time that one request in N exceeds",
        Axis.logarithmic("one request in N (10 is the 90th percentile, 100 the 99th)", ""),
        Axis.logarithmic("response time", "ms"),
        series);
  }
}
