package dev.pinion.handlers;

import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.run.Chain;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the handlers of chains count, as text of Prometheus (exposition format 0.0.4). Each number
 * has the labels {@code chain} and {@code handler}.
 */
public final class HandlerMetrics {
  private HandlerMetrics() {}

  /**
   * The numbers as they stand now, of handlers that run in this process.
   *
   * @param chains chains by name, as {@link Chains#inForce} tells them
   */
  public static String text(Map<String, Chain> chains) {
    SortedMap<String, StringBuilder> families = new TreeMap<>();
    chains.forEach(
        (chain, running) -> {
          for (Step step : running.plan().steps()) {
            if (step.handler() instanceof Metered metered) {
              metered.metrics().forEach(each -> add(families, each, chain, step.name()));
            }
          }
        });
    return String.join("", families.values());
  }

  private static void add(
      SortedMap<String, StringBuilder> families, Metric metric, String chain, String handler) {
    String name = metric.name();
    StringBuilder family = families.computeIfAbsent(name, _ -> head(metric));
    family.append(name).append("{chain=\"").append(escaped(chain));
    family.append("\",handler=\"").append(escaped(handler)).append('"');
    metric
        .labels()
        .forEach(
            (label, value) ->
                family.append(',').append(label).append("=\"").append(escaped(value)).append('"'));
    family.append("} ").append(number(metric.value())).append('\n');
  }

  private static StringBuilder head(Metric metric) {
    return new StringBuilder()
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
}
