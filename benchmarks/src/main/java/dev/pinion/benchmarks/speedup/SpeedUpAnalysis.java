package dev.pinion.benchmarks.speedup;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.chart.Interval;
import dev.pinion.benchmarks.chart.LineChart;
import dev.pinion.benchmarks.chart.LineChart.Point;
import dev.pinion.benchmarks.chart.LineChart.Series;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.report.ResultFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Speed-up of throughput over a number of threads, and the laws fitted to it.
 *
 * @param byNumber speed-up within rounds by number of threads, 1 among them
 * @param cores CPUs of the threads, the n of the serial shares, as in the paper
 */
public record SpeedUpAnalysis(SortedMap<Integer, SampleSummary> byNumber, int cores) {
  public SpeedUpAnalysis {
    byNumber = new TreeMap<>(byNumber);
  }

  /**
   * Speed-ups of the variants of a comparison against the one with the fewest threads.
   *
   * @param numbers number of threads by variant
   */
  public static SpeedUpAnalysis of(
      ComparisonResults results, Map<String, Integer> numbers, int cores) {
    SortedMap<Integer, SampleSummary> speedUps = new TreeMap<>();
    numbers.forEach(
        (variant, number) ->
            results
                .ratio(variant, results.baseline(), Metric.THROUGHPUT)
                .ifPresent(ratio -> speedUps.put(number, ratio)));
    return new SpeedUpAnalysis(speedUps, cores);
  }

  /**
   * Speed-ups with the serial shares that would explain them, and the law fitted to all of them.
   */
  public List<Finding> findings(String of) {
    List<Finding> findings = new ArrayList<>();
    byNumber.forEach(
        (number, speedUp) -> {
          if (number > 1) {
            String name = "speed-up, " + number + " " + of;
            findings.add(new Finding(name, speedUp, shares(speedUp.median())));
          }
        });
    SortedMap<Integer, Double> medians = medians();
    if (medians.size() >= UniversalScalability.LEAST_POINTS && medians.containsKey(1)) {
      UniversalScalability law = UniversalScalability.fit(medians);
      double error = law.error(medians);
      findings.add(
          new Finding(
              "universal scalability: root mean squared error of the speed-up",
              new SampleSummary(error, error, error),
              String.format(
                  Locale.ROOT,
                  "contention %.3f%s, coherency %.4f, best at n = %.1f, fitted to %d points%s",
                  law.contention(),
                  law.contention() < 1
                      ? ""
                      : " (the most that the law knows: it does not explain these)",
                  law.coherency(),
                  law.best(),
                  medians.size(),
                  medians.size() < 6 ? "; fewer than six prove little" : "")));
    }
    return findings;
  }

  /** Measured speed-up, and the fitted law beside it. */
  public List<Figure> figures(String title, String threads) {
    List<Series> series = new ArrayList<>();
    List<Point> measured = new ArrayList<>();
    byNumber.forEach((n, s) -> measured.add(new Point(n, ResultFigures.interval(s))));
    series.add(new Series("measured", measured));
    SortedMap<Integer, Double> medians = medians();
    if (medians.size() >= UniversalScalability.LEAST_POINTS && medians.containsKey(1)) {
      UniversalScalability law = UniversalScalability.fit(medians);
      List<Point> fitted = new ArrayList<>();
      medians
          .keySet()
          .forEach(n -> fitted.add(new Point(n, Interval.exact(law.speedUp((double) n)))));
      series.add(new Series("universal scalability, fitted", fitted));
    }
    Axis x = Axis.linear(threads, "");
    return List.of(new LineChart(title, x, Axis.linear("speed-up", ""), series));
  }

  private SortedMap<Integer, Double> medians() {
    SortedMap<Integer, Double> medians = new TreeMap<>();
    byNumber.forEach((number, speedUp) -> medians.put(number, speedUp.median()));
    return medians;
  }

  private String shares(double speedUp) {
    return cores < 2
        ? "on one core no law has a serial share"
        : String.format(
            Locale.ROOT,
            "serial share with n = %d cores: Amdahl %s, Gustafson %s",
            cores,
            share(Amdahl.serialShare(speedUp, cores)),
            share(Gustafson.serialShare(speedUp, cores)));
  }

  /** A share below 0 or above 1 is invalid: the law does not explain the speed-up. */
  private static String share(double share) {
    return share < 0 || share > 1 ? "no fit" : String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }
}
