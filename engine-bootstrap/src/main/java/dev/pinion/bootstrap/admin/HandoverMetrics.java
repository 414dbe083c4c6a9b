package dev.pinion.bootstrap.admin;

import java.util.Locale;

/** The parent's counters of accepted connections, in the text format of Prometheus. */
final class HandoverMetrics {
  private HandoverMetrics() {}

  static String of(HandoverStatistics handoverStatistics) {
    return counter(
            "pinion_connections_handed_over_total",
            "Connections that replicas took from the parent.",
            handoverStatistics.handedOver().getAsLong())
        + counter(
            "pinion_connections_dropped_total",
            "What the parent closed because it was no connection of a client.",
            handoverStatistics.dropped().getAsLong())
        + counter(
            "pinion_accept_failures_total",
            "Times that the parent could not accept a connection.",
            handoverStatistics.acceptFailures().getAsLong());
  }

  private static String counter(String name, String help, long value) {
    return String.format(
        Locale.ROOT, "# HELP %s %s\n# TYPE %s counter\n%s %d\n", name, help, name, name, value);
  }
}
