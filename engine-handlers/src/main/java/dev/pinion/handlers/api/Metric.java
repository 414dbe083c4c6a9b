package dev.pinion.handlers.api;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One metric of a handler, in the style of Prometheus.
 *
 * @param name name of {@code a-z}, {@code 0-9} and {@code _}; a counter's ends with {@code _total}
 * @param kind whether it only grows
 * @param help its meaning, in one sentence for people
 * @param labels labels that distinguish it from others of the same name; the reader adds its chain
 *     and handler
 * @param value the number
 */
public record Metric(
    String name, Kind kind, String help, SortedMap<String, String> labels, double value) {
  /** Labels that the reader adds. */
  private static final Set<String> RESERVED = Set.of("chain", "handler", "replica");

  /** Checks the names and copies the labels. */
  public Metric {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    if (!name.matches("[a-z][a-z0-9_]*") || name.endsWith("_total") != (kind == Kind.COUNTER)) {
      throw new IllegalArgumentException(
          "expected a name of a-z, 0-9 and _, with _total at the end of a counter's only, found "
              + name
              + " of a "
              + kind);
    }
    for (String label : labels.keySet()) {
      if (!label.matches("[a-z][a-z0-9_]*") || RESERVED.contains(label)) {
        throw new IllegalArgumentException(
            "expected a label of a-z, 0-9 and _ other than chain, handler and replica, found "
                + label);
      }
    }
  }

  /** A number that only grows while the process runs. */
  public static Metric counter(String name, String help, long value) {
    return new Metric(name, Kind.COUNTER, help, Collections.emptySortedMap(), (double) value);
  }

  /** A number that goes up and down. */
  public static Metric gauge(String name, String help, double value) {
    return new Metric(name, Kind.GAUGE, help, Collections.emptySortedMap(), value);
  }

  /** This metric, with labels that distinguish it from others. */
  public Metric with(Map<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(labels);
    all.putAll(more);
    return new Metric(name, kind, help, all, value);
  }

  /** Behaviour of a number. */
  public enum Kind {
    /** It only grows. */
    COUNTER,
    /** It goes up and down. */
    GAUGE
  }
}
