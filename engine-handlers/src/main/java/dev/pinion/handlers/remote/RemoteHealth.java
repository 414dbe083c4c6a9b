package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.Metric;
import java.util.List;

/**
 * Health of the connection to handler hosts, for operators.
 *
 * @param connected whether there is a connection to a NATS server
 * @param hosts known live hosts: those with a heartbeat within {@code
 *     handlers.remote.silenceMillis}, at most {@code handlers.remote.maxHosts}
 * @param statistics statistics of messages so far
 */
public record RemoteHealth(boolean connected, int hosts, RemoteStatistics statistics) {
  /** The same as metrics of Prometheus. */
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "pinion_remote_connected",
            "Whether there is a connection to a NATS server.",
            connected ? 1 : 0),
        Metric.gauge("pinion_remote_hosts", "Handler hosts that live.", hosts),
        Metric.gauge(
            "pinion_remote_under_way", "Attempts that hosts have now.", statistics.inFlight()),
        Metric.counter("pinion_remote_begun_total", "Attempts given to hosts.", statistics.begun()),
        Metric.counter("pinion_remote_done_total", "Attempts with a verdict.", statistics.done()),
        Metric.counter(
            "pinion_remote_stored_total",
            "Messages kept by a server for hosts.",
            statistics.stored()),
        Metric.counter(
            "pinion_remote_failed_total", "Attempts without a verdict.", statistics.failed()),
        Metric.counter(
            "pinion_remote_sent_again_total",
            "Messages sent again because no host took them or theirs was lost.",
            statistics.sentAgain()),
        Metric.counter(
            "pinion_remote_busy_total", "Answers that a host has no room.", statistics.busy()),
        Metric.counter(
            "pinion_remote_lost_hosts_total",
            "Hosts lost while they had an attempt, for each attempt.",
            statistics.lostHosts()),
        Metric.counter(
            "pinion_remote_in_doubt_total",
            "Attempts of which it is unknown whether they had their effect.",
            statistics.inDoubt()),
        Metric.counter("pinion_remote_late_total", "Answers after their time.", statistics.late()),
        Metric.counter(
            "pinion_remote_garbage_total",
            "Messages that were no frame, or of an unknown version.",
            statistics.garbage()),
        Metric.counter(
            "pinion_remote_refused_total",
            "Attempts beyond the most in flight.",
            statistics.refused()));
  }
}
