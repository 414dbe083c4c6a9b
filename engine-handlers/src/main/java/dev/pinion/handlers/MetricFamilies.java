package dev.pinion.handlers;

import dev.pinion.handlers.api.Metric;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Metrics as text of Prometheus (exposition format 0.0.4), grouped by name. */
final class MetricFamilies {
  private final SortedMap<String, StringBuilder> families = new TreeMap<>();
  private int chars;

  /**
   * Adds a metric.
   *
   * @param owner labels of its owner, before its own; in their order
   */
  void add(Metric metric, Map<String, String> owner) {
    StringBuilder family = families.computeIfAbsent(metric.name(), _ -> new StringBuilder());
    int before = family.length();
    if (before == 0) {
      head(family, metric);
    }
    family.append(metric.name());
    char separator = labels(family, '{', owner);
    separator = labels(family, separator, metric.labels());
    family.append(separator == '{' ? "" : "}");
    family.append(' ').append(number(metric.value())).append('\n');
    chars += family.length() - before;
  }

  /** Characters so far. */
  int chars() {
    return chars;
  }

  private static char labels(StringBuilder family, char begin, Map<String, String> labels) {
    char separator = begin;
    for (Map.Entry<String, String> each : labels.entrySet()) {
      family.append(separator).append(each.getKey()).append("=\"");
      family.append(escaped(each.getValue())).append('"');
      separator = ',';
    }
    return separator;
  }

  private static void head(StringBuilder family, Metric metric) {
    family
        .append("# HELP ")
        .append(metric.name())
        .append(' ')
        .append(metric.help().replace("\\", "\\\\").replace("\n", "\\n"))
        .append("\n# TYPE ")
        .append(metric.name())
        .append(' ')
        .append(metric.kind().name().toLowerCase(Locale.ROOT))
        .append('\n');
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /** The text. */
  @Override
  public String toString() {
    return String.join("", families.values());
  }
}
