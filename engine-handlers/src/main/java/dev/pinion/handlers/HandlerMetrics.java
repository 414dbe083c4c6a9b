package dev.pinion.handlers;

import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.StepStatistics;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics of chains and their handlers: the present messages of each chain, the statistics of each
 * handler, and its own counters. Chains are distinguished by the label {@code chain}, handlers by
 * {@code handler}.
 */
public final class HandlerMetrics {
  /**
   * Number of values from which no further chain is included; about 200 handlers. One chain may
   * exceed it by its handlers' metrics.
   */
  static final int MAX_VALUES = 3_000;

  private static final double NANOS_PER_SECOND = 1e9;

  private HandlerMetrics() {}

  /**
   * Adds the current metrics of handlers that run in this process.
   *
   * @param chains chains by name, from {@link ChainRegistry#inForce}
   */
  public static void add(Map<String, Chain> chains, MetricFamilies families) {
    add(chains, List.of(), MAX_VALUES, families);
  }

  /**
   * Adds the same and further numbers.
   *
   * @param more metrics without a chain
   * @param maxValues number of values from which no further chain is included, only their number
   */
  static void add(
      Map<String, Chain> chains, List<Metric> more, int maxValues, MetricFamilies families) {
    int before = families.size();
    int untold = 0;
    for (Map.Entry<String, Chain> each : chains.entrySet()) {
      if (families.size() - before < maxValues) {
        add(families, each.getKey(), each.getValue());
      } else {
        untold++;
      }
    }
    more.forEach(each -> add(families, each, Map.of()));
    families.gauge("pinion_chains", "Chains in force.", chains.size());
    families.gauge(
        "pinion_chains_untold", "Chains in force whose numbers find no room here.", untold);
  }

  private static void add(MetricFamilies families, String name, Chain chain) {
    for (Metric each : ofChain(chain)) {
      add(families, each, Map.of("chain", name));
    }
    for (StepStatistics step : chain.statistics()) {
      for (Metric each : ofStep(step)) {
        add(families, each, owner(name, step.name()));
      }
    }
    for (Step step : chain.plan().steps()) {
      if (step.handler() instanceof Metered metered) {
        metered.metrics().forEach(each -> add(families, each, owner(name, step.name())));
      }
    }
  }

  private static void add(MetricFamilies families, Metric metric, Map<String, String> owner) {
    Map<String, String> labels = new TreeMap<>(metric.labels());
    labels.putAll(owner);
    switch (metric.kind()) {
      case COUNTER -> families.counter(metric.name(), metric.help(), metric.value(), labels);
      case GAUGE -> families.gauge(metric.name(), metric.help(), metric.value(), labels);
    }
  }

  private static Map<String, String> owner(String chain, String handler) {
    return Map.of("chain", chain, "handler", handler);
  }

  private static List<Metric> ofChain(Chain chain) {
    return List.of(
        Metric.gauge("pinion_chain_under_way", "Messages under way.", chain.inFlight()),
        Metric.gauge("pinion_chain_waiting", "Messages that wait for a permit.", chain.queued()),
        Metric.gauge(
            "pinion_chain_window", "Messages that may be under way now.", chain.windowSize()),
        Metric.gauge(
            "pinion_chain_oneway_waiting", "Messages that wait for oneway steps.", chain.oneway()),
        Metric.counter(
            "pinion_chain_entered_total", "Messages that had room in the chain.", chain.entered()),
        Metric.counter(
            "pinion_chain_overloaded_total",
            "Messages refused for lack of room.",
            chain.overloaded()));
  }

  private static List<Metric> ofStep(StepStatistics step) {
    return List.of(
        Metric.counter("pinion_handler_calls_total", "Calls that ended.", step.calls()),
        new Metric(
            "pinion_handler_seconds_total",
            Metric.Kind.COUNTER,
            "Seconds that these calls took.",
            Collections.emptySortedMap(),
            step.nanos() / NANOS_PER_SECOND),
        Metric.counter("pinion_handler_failures_total", "Calls that failed.", step.failures()),
        Metric.counter(
            "pinion_handler_timeouts_total",
            "Calls that failed by not ending in time.",
            step.timeouts()),
        Metric.counter(
            "pinion_handler_repeats_total", "Calls that repeated one that failed.", step.repeats()),
        Metric.counter(
            "pinion_handler_skipped_total",
            "Messages that went on without the step, because it failed.",
            step.skipped()),
        Metric.counter("pinion_handler_stops_total", "Messages that it stopped.", step.stops()),
        Metric.counter("pinion_handler_undone_total", "Effects undone.", step.undone()),
        Metric.counter(
            "pinion_handler_undo_failures_total",
            "Effects that could not be undone.",
            step.undoFailures()),
        Metric.counter(
            "pinion_handler_late_total", "Calls that came back after their time.", step.late()),
        Metric.counter(
            "pinion_handler_dropped_total",
            "Messages that a oneway step did not get, for lack of room.",
            step.dropped()));
  }
}
