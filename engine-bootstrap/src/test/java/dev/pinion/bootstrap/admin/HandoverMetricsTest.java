package dev.pinion.bootstrap.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HandoverMetricsTest {
  @Test
  void shouldTellWhatWasHandedOverDroppedAndNotAccepted() {
    String text =
        HandoverMetrics.of(
            new HandoverStatistics(new HandoverLatencies(), () -> 17, () -> 3, () -> 2));

    assertEquals(
        """
        # HELP pinion_connections_handed_over_total Connections that replicas took from the parent.
        # TYPE pinion_connections_handed_over_total counter
        pinion_connections_handed_over_total 17
        # HELP pinion_connections_dropped_total What the parent closed because it was no connection of a client.
        # TYPE pinion_connections_dropped_total counter
        pinion_connections_dropped_total 3
        # HELP pinion_accept_failures_total Times that the parent could not accept a connection.
        # TYPE pinion_accept_failures_total counter
        pinion_accept_failures_total 2
        """,
        text);
  }
}
