package dev.pinion.core.invoker;

import dev.pinion.core.metrics.SingleWriterCounter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

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
    /** Calls that found a token of an authorization server. */
    TOKENS_CACHED,
    /** Tokens issued by the grant of their policy. */
    TOKENS_FETCHED,
    /** Tokens issued for the refresh token of an earlier one. */
    TOKENS_REFRESHED,
    /** Requests for a token that ended without one. */
    TOKENS_FAILED,
    /** Gauge: connections open or being established. */
    CONNECTIONS,
    /** Gauge: calls waiting for a connection. */
    WAITING
  }

  /** Classes of status codes, in the order of their counters. */
  public static final List<String> CODE_CLASSES = List.of("2xx", "3xx", "4xx", "5xx", "other");

  private static final int OTHER = CODE_CLASSES.size() - 1;

  private final Map<Counter, SingleWriterCounter> values = new EnumMap<>(Counter.class);
  private final List<SingleWriterCounter> responses =
      Stream.generate(SingleWriterCounter::new).limit(CODE_CLASSES.size()).toList();

  /** Counters that are all zero. */
  public InvokerCounters() {
    for (Counter counter : Counter.values()) {
      values.put(counter, new SingleWriterCounter());
    }
  }

  public void increment(Counter counter) {
    counter(counter).increment();
  }

  public void decrement(Counter counter) {
    counter(counter).add(-1);
  }

  /** Counts a complete response by its status. */
  public void onResponse(int status) {
    int known = status / 100 - 2;
    responses.get(known >= 0 && known < OTHER ? known : OTHER).increment();
  }

  /** Complete responses of a class, by its position in {@link #CODE_CLASSES}. */
  public long responses(int codeClass) {
    return responses.get(codeClass).value();
  }

  /** The present value. */
  public long get(Counter counter) {
    return counter(counter).value();
  }

  private SingleWriterCounter counter(Counter counter) {
    return Objects.requireNonNull(values.get(counter));
  }
}
