package dev.pinion.benchmarks.experiment;

import java.util.Arrays;
import java.util.Collection;

/**
 * The middle and the spread of repeated measurements.
 *
 * @param median middle value; the mean of the two middle ones of an even number
 * @param min smallest value
 * @param max largest value
 */
public record SampleSummary(double median, double min, double max) {
  /** Summarises at least one value. */
  public static SampleSummary of(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("expected at least one value, found none");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    int upper = sorted.length / 2;
    int lower = (sorted.length - 1) / 2;
    return new SampleSummary(
        (sorted[lower] + sorted[upper]) / 2, sorted[0], sorted[sorted.length - 1]);
  }

  /** Whether some value lies within both spreads, ends included. */
  public boolean overlaps(SampleSummary other) {
    return min <= other.max && other.min <= max;
  }
}
