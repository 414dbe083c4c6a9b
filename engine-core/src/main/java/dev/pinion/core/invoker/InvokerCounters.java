package dev.pinion.core.invoker;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters of one Invoker. Written by its event loop only; read by any thread, with values that may
 * be a moment old.
 */
public final class InvokerCounters {
  /** Names of the counters. All except the gauges only grow. */
  public enum Counter {
    /** Calls taken from the lane; each is reported as one of the next three. */
    CALLS,
    /** Calls with an acceptable response. */
    ANSWERED,
    /** Calls without one, including those that timed out. */
    FAILED,
    /** Calls aborted at the kernel's request. */
    ABORTED,
    /** Aborts of calls that were not in progress. */
    ABORTS_IGNORED,
    /** Requests sent again because the service had closed a kept connection. */
    RETRIED,
    /** Outcomes that the sink had no room for: an error of the engine. */
    UNDELIVERED,
    /** Gauge: connections open or being established. */
    CONNECTIONS,
    /** Gauge: calls waiting for a connection. */
    WAITING
  }

  private final Map<Counter, AtomicLong> values = new EnumMap<>(Counter.class);

  /** Counters that are all zero. */
  public InvokerCounters() {
    for (Counter counter : Counter.values()) {
      values.put(counter, new AtomicLong());
    }
  }

  public void increment(Counter counter) {
    add(counter, 1);
  }

  public void decrement(Counter counter) {
    add(counter, -1);
  }

  private void add(Counter counter, long delta) {
    AtomicLong value = value(counter);
    value.setOpaque(value.getPlain() + delta);
  }

  /** The present value. */
  public long get(Counter counter) {
    return value(counter).getOpaque();
  }

  private AtomicLong value(Counter counter) {
    return Objects.requireNonNull(values.get(counter));
  }
}
