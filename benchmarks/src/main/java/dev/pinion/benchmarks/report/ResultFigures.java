package dev.pinion.benchmarks.report;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.DotPlot;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.chart.Interval;
import dev.pinion.benchmarks.chart.LineChart;
import dev.pinion.benchmarks.chart.LineChart.Point;
import dev.pinion.benchmarks.chart.LineChart.Series;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Plots of results. */
public final class ResultFigures {
  private ResultFigures() {}

  /** A plot for each metric of a comparison: its variants side by side. */
  public static List<Figure> sideBySide(ComparisonResults one, List<Metric> metrics) {
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : metrics) {
      List<DotPlot.PlotRow> rows = new ArrayList<>();
      for (String variant : one.samples().keySet()) {
        rows.add(new DotPlot.PlotRow(variant, variant, interval(one.summary(variant, metric))));
      }
      Axis axis = Axis.linear(metric.name(), metric.unit());
      figures.add(new DotPlot(one.title() + ": " + metric.name(), axis, rows));
    }
    return figures;
  }

  /** The same for each of several comparisons. */
  public static List<Figure> sideBySide(List<ComparisonResults> all, Metric... metrics) {
    return all.stream().flatMap(one -> sideBySide(one, List.of(metrics)).stream()).toList();
  }

  /**
   * A plot for each metric over a quantity that differs from comparison to comparison; a line for
   * each variant.
   *
   * @param title conditions of all comparisons; the metric is added
   * @param at the quantity by comparison
   */
  public static List<Figure> over(
      String title,
      Axis x,
      List<? extends Number> at,
      List<ComparisonResults> results,
      Metric... metrics) {
    return Stream.of(metrics)
        .map(metric -> lines(title + ": " + metric.name(), x, at, results, metric))
        .toList();
  }

  /** A plot of one metric over a quantity that differs from comparison to comparison. */
  public static Figure lines(
      String title,
      Axis x,
      List<? extends Number> at,
      List<ComparisonResults> results,
      Metric metric) {
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    for (int i = 0; i < results.size(); i++) {
      ComparisonResults one = results.get(i);
      for (String variant : one.samples().keySet()) {
        lines
            .computeIfAbsent(variant, name -> new ArrayList<>())
            .add(new Point(at.get(i).doubleValue(), interval(one.summary(variant, metric))));
      }
    }
    return chart(title, x, metric, lines);
  }

  /**
   * A metric of all comparisons over a quantity that differs from variant to variant; a line for
   * each comparison.
   *
   * @param at the quantity by variant
   */
  public static Figure acrossVariants(
      String title,
      Axis x,
      List<ComparisonResults> results,
      Metric metric,
      Map<String, ? extends Number> at) {
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    for (ComparisonResults one : results) {
      List<Point> points = new ArrayList<>();
      at.forEach(
          (variant, place) ->
              points.add(new Point(place.doubleValue(), interval(one.summary(variant, metric)))));
      lines.put(one.title(), points);
    }
    return chart(title, x, metric, lines);
  }

  private static Figure chart(String title, Axis x, Metric metric, Map<String, List<Point>> lines) {
    List<Series> series =
        lines.entrySet().stream().map(e -> new Series(e.getKey(), e.getValue())).toList();
    return new LineChart(title, x, Axis.linear(metric.name(), metric.unit()), series);
  }

  /** Middle and spread for a plot. */
  public static Interval interval(SampleSummary summary) {
    return new Interval(summary.min(), summary.median(), summary.max());
  }
}
