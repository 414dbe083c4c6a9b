package dev.pinion.handlers.builtin.observe;

import dev.pinion.handlers.api.Metric;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Statistics of a monitor: totals since the start, and rate and distinct clients of the last whole
 * period. Safe for use by any thread.
 */
final class TrafficStatistics {
  private final long periodNanos;
  private final int maxClients;

  // All guarded by this.
  private final Set<String> clients = new HashSet<>();
  private long messages;
  private long bytes;
  private long largest;
  private long begunNanos;
  private long inPeriod;
  private boolean moreClients;
  private double lastRate;
  private long lastClients;
  private boolean lastMoreClients;

  /**
   * Empty statistics.
   *
   * @param periodNanos length of a period
   * @param maxClients the most distinct clients that are counted in a period
   * @param nowNanos the monotonic time
   */
  TrafficStatistics(long periodNanos, int maxClients, long nowNanos) {
    this.periodNanos = periodNanos;
    this.maxClients = maxClients;
    this.begunNanos = nowNanos;
  }

  /**
   * Counts a message.
   *
   * @param client its sender; empty when unknown
   */
  synchronized void see(int size, String client, long nowNanos) {
    rollPeriod(nowNanos);
    messages++;
    inPeriod++;
    bytes += size;
    largest = Math.max(largest, size);
    if (!client.isEmpty() && !clients.contains(client)) {
      if (clients.size() < maxClients) {
        clients.add(client);
      } else {
        moreClients = true;
      }
    }
  }

  private void rollPeriod(long nowNanos) {
    long periods = (nowNanos - begunNanos) / periodNanos;
    if (periods <= 0) {
      return;
    }
    boolean whole = periods == 1; // otherwise the last one was empty
    lastRate = whole ? inPeriod * 1e9 / periodNanos : 0;
    lastClients = whole ? clients.size() : 0;
    lastMoreClients = whole && moreClients;
    inPeriod = 0;
    clients.clear();
    moreClients = false;
    begunNanos += periods * periodNanos;
  }

  /** The numbers, distinguished from others by labels. */
  synchronized List<Metric> metrics(Map<String, String> labels, long nowNanos) {
    rollPeriod(nowNanos);
    return List.of(
        Metric.counter("pinion_monitor_messages_total", "Messages that went past.", messages)
            .with(labels),
        Metric.counter("pinion_monitor_bytes_total", "Bytes of their bodies.", bytes).with(labels),
        Metric.gauge("pinion_monitor_largest_bytes", "The largest body.", (double) largest)
            .with(labels),
        Metric.gauge(
                "pinion_monitor_rate",
                "Messages in a second, over the last whole period.",
                lastRate)
            .with(labels),
        Metric.gauge(
                "pinion_monitor_clients",
                "Distinct clients in the last whole period, as far as they are counted.",
                (double) lastClients)
            .with(labels),
        Metric.gauge(
                "pinion_monitor_clients_beyond_bound",
                "1 when there were more clients than are counted.",
                lastMoreClients ? 1 : 0)
            .with(labels));
  }
}
