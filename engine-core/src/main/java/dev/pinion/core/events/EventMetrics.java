package dev.pinion.core.events;

import dev.pinion.core.metrics.MetricFamilies;

/** Metrics of the log of events, as seen by one replica. */
public final class EventMetrics {
  private EventMetrics() {}

  /**
   * Adds the metrics.
   *
   * @param received events accepted here
   * @param repeated events that had been accepted before
   * @param dropped events that nobody consumed, found here
   * @param logged events in the log
   */
  public static void add(
      MetricFamilies families, long received, long repeated, long dropped, long logged) {
    families.counter(
        "pinion_events_received_total", "CloudEvents stored, posted or emitted.", received);
    families.counter(
        "pinion_events_repeated_total",
        "CloudEvents that were skipped, as their source and id were stored before.",
        repeated);
    families.counter(
        "pinion_events_dropped_total", "CloudEvents that no instance has consumed.", dropped);
    families.gauge(
        "pinion_event_log_events",
        "CloudEvents in the log that some replica or sink may still need.",
        logged);
  }
}
