package dev.pinion.bootstrap.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.DocumentedMetrics;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.supervise.BrokerSupervisor;
import dev.pinion.bootstrap.supervise.HistorySupervisor;
import dev.pinion.bootstrap.supervise.ReplicaState;
import dev.pinion.bootstrap.supervise.ReplicaStatus;
import dev.pinion.bootstrap.supervise.RestartReason;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.metrics.ProcessCollector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParentMetricsTest {
  private final MetricFamilies families = new MetricFamilies();
  private final ParentMetrics metrics = new ParentMetrics(families);

  private static ReplicaStatus replica(int index, ReplicaState state) {
    return new ReplicaStatus(
        index,
        state,
        7,
        1,
        Duration.ZERO,
        ReplicaStatus.CircuitBreaker.CLOSED,
        null,
        state == ReplicaState.READY ? new Heartbeat(2_500, 2, 3, 4, false, "") : null,
        "");
  }

  private void handover() {
    metrics.handover(new HandoverStatistics(new HandoverLatencies(), () -> 17, () -> 3, () -> 2));
  }

  @Test
  void shouldTellWhatWasHandedOverDroppedAndNotAccepted() {
    handover();

    assertEquals(
        """
        # HELP pinion_accept_failures_total Times that the parent could not accept a connection.
        # TYPE pinion_accept_failures_total counter
        pinion_accept_failures_total 2.0
        # HELP pinion_connections_dropped_total What the parent closed because it was no connection of a client.
        # TYPE pinion_connections_dropped_total counter
        pinion_connections_dropped_total 3.0
        # HELP pinion_connections_handed_over_total Connections that replicas took from the parent.
        # TYPE pinion_connections_handed_over_total counter
        pinion_connections_handed_over_total 17.0
        """,
        families.text());
  }

  @Test
  void shouldTellOfEachReplica() {
    metrics.replicas(List.of(replica(0, ReplicaState.READY), replica(1, ReplicaState.BROKEN)));
    metrics.restarts(Map.of(1, Map.of(RestartReason.DIED, 5)));

    String text = families.text();
    assertTrue(text.contains("pinion_replica_up{replica=\"0\"} 1.0\n"), text);
    assertTrue(text.contains("pinion_replica_up{replica=\"1\"} 0.0\n"), text);
    assertTrue(text.contains("_queueing_delay_seconds{replica=\"0\"} 0.0025\n"), text);
    assertTrue(
        text.contains("pinion_replica_restarts_total{reason=\"died\",replica=\"1\"} 5.0\n"), text);
    assertTrue(text.contains("pinion_binding_table_version{replica=\"0\"} 4.0\n"), text);
  }

  @Test
  void shouldLeaveOutWhatIsUnknown() {
    metrics.history(new HistorySupervisor.HistoryStatus(-1, 1, -1, 0, -1, ""));

    assertFalse(families.text().contains("lag"), families.text());
    assertFalse(families.text().contains("outbox"), families.text());
    assertTrue(families.text().contains("pinion_history_up 0.0\n"), families.text());
  }

  @Test
  void shouldExportWhatIsDocumentedAndNothingElse() throws Exception {
    metrics.replicas(List.of(replica(0, ReplicaState.READY)));
    metrics.restarts(Map.of(0, Map.of(RestartReason.REQUESTED, 1)));
    metrics.broker(
        new BrokerSupervisor.BrokerStatus(
            4712, -1, 3, new BrokerSupervisor.PlanStatus(9, "relaxed"), true));
    metrics.history(
        new HistorySupervisor.HistoryStatus(
            4711, 2, 17, 0, 5, "", List.of(new HistorySupervisor.SinkStatus("audit", 3, 2, 1))));
    handover();
    metrics.log(12);

    assertEquals(
        DocumentedMetrics.of("Of the parent"), DocumentedMetrics.exported(families.text()));
  }

  @Test
  void shouldDocumentTheMetricsOfProcesses() throws Exception {
    new ProcessCollector().addMetrics(families);

    assertEquals(
        DocumentedMetrics.of("Of each process"), DocumentedMetrics.exported(families.text()));
  }
}
