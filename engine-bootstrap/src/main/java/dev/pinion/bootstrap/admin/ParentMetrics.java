package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.supervise.BrokerSupervisor.BrokerStatus;
import dev.pinion.bootstrap.supervise.HistorySupervisor.HistoryStatus;
import dev.pinion.bootstrap.supervise.HistorySupervisor.SinkStatus;
import dev.pinion.bootstrap.supervise.ReplicaState;
import dev.pinion.bootstrap.supervise.ReplicaStatus;
import dev.pinion.bootstrap.supervise.RestartReason;
import dev.pinion.core.metrics.MetricFamilies;
import java.util.List;
import java.util.Map;

/**
 * Metrics that the parent knows: of replicas, broker, history, handed-over connections and its log.
 * Every name is listed in docs/metrics.md.
 */
final class ParentMetrics {
  private static final List<String> PLAN_STATES =
      List.of("unknown", "none", "optimal", "relaxed", "repaired", "last-good");

  private static final double MICROS_PER_SECOND = 1e6;

  private final MetricFamilies families;

  ParentMetrics(MetricFamilies families) {
    this.families = families;
  }

  void replicas(List<ReplicaStatus> replicas) {
    for (ReplicaStatus each : replicas) {
      String replica = Integer.toString(each.index());
      families.gauge(
          "pinion_replica_up",
          "Whether a replica serves.",
          each.state() == ReplicaState.READY ? 1 : 0,
          "replica",
          replica);
      Heartbeat heartbeat = each.lastBeat();
      if (heartbeat != null) {
        families.gauge(
            "pinion_replica_queueing_delay_seconds",
            "Seconds that work of a replica waits, by its last heartbeat.",
            heartbeat.delayMicros() / MICROS_PER_SECOND,
            "replica",
            replica);
        families.gauge(
            "pinion_binding_table_version",
            "Version of the table that a replica binds by.",
            heartbeat.bindingVersion(),
            "replica",
            replica);
      }
    }
  }

  void restarts(Map<Integer, Map<RestartReason, Integer>> restarts) {
    restarts.forEach(
        (replica, counts) ->
            counts.forEach(
                (reason, count) ->
                    families.counter(
                        "pinion_replica_restarts_total",
                        "Starts of a replica beyond its first, by the end of the process before.",
                        count,
                        "replica",
                        Integer.toString(replica),
                        "reason",
                        reason.label())));
  }

  void broker(BrokerStatus broker) {
    families.gauge("pinion_broker_up", "Whether the broker runs.", broker.pid() >= 0 ? 1 : 0);
    families.counter("pinion_broker_starts_total", "Starts of the broker.", broker.starts());
    families.gauge(
        "pinion_broker_plan_version", "Version of the plan in force.", broker.plan().version());
    for (String state : PLAN_STATES) {
      families.gauge(
          "pinion_broker_plan_state",
          "1 for what the plan in force is worth.",
          state.equals(broker.plan().state()) ? 1 : 0,
          "state",
          state);
    }
  }

  void history(HistoryStatus history) {
    families.gauge(
        "pinion_history_up", "Whether the history is written.", history.pid() >= 0 ? 1 : 0);
    families.counter(
        "pinion_history_starts_total",
        "Starts of the process that writes the history.",
        history.starts());
    families.gauge(
        "pinion_history_skipped_instances",
        "Instances left out of the history as they do not fit into its memory.",
        history.skippedInstances());
    if (history.lagRecords() >= 0) {
      families.gauge(
          "pinion_history_lag_records",
          "Records on disk that are not in the history.",
          history.lagRecords());
    }
    if (history.outboxEvents() >= 0) {
      families.gauge(
          "pinion_outbox_pending", "Events that wait for subscribers.", history.outboxEvents());
    }
    history.sinks().forEach(this::sink);
  }

  private void sink(SinkStatus sink) {
    families.counter(
        "pinion_lifecycle_events_delivered_total",
        "Lifecycle events that a sink has accepted since it was named.",
        sink.delivered(),
        "sink",
        sink.name());
    families.counter(
        "pinion_lifecycle_events_lost_total",
        "Events of the history that a sink did not get, as too many waited.",
        sink.lost(),
        "sink",
        sink.name());
    families.gauge(
        "pinion_lifecycle_events_waiting",
        "Events of the history that a sink has not passed.",
        sink.waiting(),
        "sink",
        sink.name());
  }

  void handover(HandoverStatistics handover) {
    families.counter(
        "pinion_connections_handed_over_total",
        "Connections that replicas took from the parent.",
        handover.handedOver().getAsLong());
    families.counter(
        "pinion_connections_dropped_total",
        "What the parent closed because it was no connection of a client.",
        handover.dropped().getAsLong());
    families.counter(
        "pinion_accept_failures_total",
        "Times that the parent could not accept a connection.",
        handover.acceptFailures().getAsLong());
  }

  void log(long lostLines) {
    families.counter(
        "pinion_log_lines_lost_total",
        "Lines of the log that were lost because nobody read them.",
        lostLines);
  }
}
