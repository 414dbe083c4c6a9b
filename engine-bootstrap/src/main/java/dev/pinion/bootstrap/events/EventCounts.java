package dev.pinion.bootstrap.events;

import dev.pinion.core.events.EventMetrics;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import java.util.concurrent.atomic.AtomicLong;

/** What a replica counts of events. For any thread; one at a time writes. */
final class EventCounts {
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private volatile long logged;

  /** Counts the events of a request. */
  void add(EventReceipt receipt) {
    if (receipt instanceof EventReceipt.Stored stored) {
      received.addAndGet(stored.accepted());
      repeated.addAndGet(stored.repeated());
    }
  }

  /**
   * Counts events that left the log.
   *
   * @param inLog events that are in it now
   * @param unheard those of the others that nobody consumed
   */
  void logged(long inLog, long unheard) {
    logged = inLog;
    dropped.addAndGet(unheard);
  }

  void addMetrics(MetricFamilies families) {
    EventMetrics.add(families, received.get(), repeated.get(), dropped.get(), logged);
  }
}
