package dev.pinion.benchmarks.experiment;

import java.util.Collection;

/**
 * Interval of the true median of measurements of any distribution: between two of the values in
 * order. Of n values, the k-th smallest and the k-th largest miss it with twice the probability
 * that n coin tosses show fewer than k heads.
 *
 * @param low lower end
 * @param high upper end
 * @param confidence probability that the median is inside, 0 to 1
 */
public record MedianConfidenceInterval(double low, double high, double confidence) {
  /** Wanted confidence; fewer than six values give less. */
  public static final double WANTED = 0.95;

  /** The narrowest interval with the wanted confidence, else the whole spread. */
  public static MedianConfidenceInterval of(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("expected at least one value, found none");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int count = sorted.length;
    int left = 0;
    double ways = 1;
    double outside = 2 * Math.pow(0.5, count);
    double next = outside;
    while (left + 1 < count - left - 1) {
      ways *= (double) (count - left) / (left + 1);
      next += 2 * ways * Math.pow(0.5, count);
      if (1 - next < WANTED) {
        break;
      }
      outside = next;
      left++;
    }
    return new MedianConfidenceInterval(
        sorted[left], sorted[count - 1 - left], Math.max(0, 1 - outside));
  }
}
