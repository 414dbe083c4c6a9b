package dev.pinion.benchmarks.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measurements of one variant in one round.
 *
 * @param values one finite value by metric, in the order of printing
 * @param parts finite values of parts that not every variant has, such as a second replica; they
 *     are printed, not compared
 */
public record Sample(Map<Metric, Double> values, Map<Metric, Double> parts) {
  /** Copies the values and checks that each is a finite number. */
  public Sample {
    requireFinite(values);
    requireFinite(parts);
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
  }

  /** A sample of values that every variant has. */
  public Sample(Map<Metric, Double> values) {
    this(values, Map.of());
  }

  private static void requireFinite(Map<Metric, Double> values) {
    values.forEach(
        (metric, value) -> {
          if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(
                "expected a finite value of " + metric.name() + ", found " + value);
          }
        });
  }

  /** Value of a metric of this sample or a part of it. */
  public double value(Metric metric) {
    Double value = values.containsKey(metric) ? values.get(metric) : parts.get(metric);
    if (value == null) {
      throw new IllegalArgumentException(
          "expected one of " + values.keySet() + ", found " + metric.name());
    }
    return value;
  }
}
