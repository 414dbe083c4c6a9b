package dev.pinion.benchmarks.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one variant showed in one round.
 *
 * @param values one finite value by metric, in the order in which they are printed
 */
public record Sample(Map<Metric, Double> values) {
  /** Copies the values and checks that each is a finite number. */
  public Sample {
    values.forEach(
        (metric, value) -> {
          if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(
                "expected a finite value of " + metric.name() + ", found " + value);
          }
        });
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The value of a metric that this sample has. */
  public double value(Metric metric) {
    Double value = values.get(metric);
    if (value == null) {
      throw new IllegalArgumentException(
          "expected one of " + values.keySet() + ", found " + metric.name());
    }
    return value;
  }
}
