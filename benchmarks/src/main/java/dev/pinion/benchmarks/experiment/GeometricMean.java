package dev.pinion.benchmarks.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The geometric mean of comparisons with the same variants, such as one for each workload. Ratios
 * of such means are the means of the ratios.
 */
public final class GeometricMean {
  private GeometricMean() {}

  /**
   * A metric's mean over comparisons, for each variant and round.
   *
   * @param title title of the mean
   * @param results at least one, with the same variants and rounds
   */
  public static ComparisonResults over(
      String title, List<ComparisonResults> results, Metric metric) {
    ComparisonResults first = results.getFirst();
    Map<String, List<Sample>> means = new LinkedHashMap<>();
    for (String variant : first.samples().keySet()) {
      List<Sample> rounds = new ArrayList<>();
      for (int round = 0; round < first.rounds(); round++) {
        rounds.add(new Sample(Map.of(metric, mean(results, variant, round, metric))));
      }
      means.put(variant, rounds);
    }
    return new ComparisonResults(title, first.baseline(), means);
  }

  private static double mean(
      List<ComparisonResults> results, String variant, int round, Metric metric) {
    double logarithms = 0;
    for (ComparisonResults one : results) {
      logarithms += Math.log(one.values(variant, metric).get(round));
    }
    return Math.exp(logarithms / results.size());
  }
}
