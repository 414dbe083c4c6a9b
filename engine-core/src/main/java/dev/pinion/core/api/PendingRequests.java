package dev.pinion.core.api;

import dev.pinion.core.stage.Stage;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for kernels, by number, with their deadlines. Numbers are never reused.
 *
 * <p>Nearly all waits end by a reply long before their deadline, so deadlines are kept unordered:
 * the earliest one is a lower bound, and when it has passed, all are scanned and the bound renewed.
 * Deadlines are rounded up to {@link #GRID_NANOS}, which bounds the number of scans.
 */
final class PendingRequests {
  /** Deadlines are multiples of this many nanoseconds. */
  static final long GRID_NANOS = 10_000_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Long2ObjectHashMap<PendingRequest<?>> byNumber = new Long2ObjectHashMap<>();
  private final List<PendingRequest<?>> due = new ArrayList<>();

  /** Waits without a deadline yet. */
  private final List<PendingRequest<?>> begun = new ArrayList<>();

  private long lastNumber;
  private long earliestNanos = Stage.NO_DEADLINE;

  /**
   * Gives a request a number and keeps it until it is removed.
   *
   * @param waitMillis time until its deadline, from {@link #startWaits} on; 0 for none
   */
  void add(PendingRequest<?> pendingRequest, long waitMillis) {
    pendingRequest.number = ++lastNumber;
    byNumber.put(pendingRequest.number, pendingRequest);
    pendingRequest.waitMillis = waitMillis;
    if (waitMillis > 0) {
      begun.add(pendingRequest);
    }
  }

  /** Gives deadlines to the waits that began in this duty cycle. */
  void startWaits(long nowNanos) {
    for (PendingRequest<?> pendingRequest : begun) {
      if (pendingRequest.waitMillis > 0) {
        deadline(pendingRequest, nowNanos + pendingRequest.waitMillis * NANOS_PER_MILLI);
        pendingRequest.waitMillis = 0;
      }
    }
    begun.clear();
  }

  private void deadline(PendingRequest<?> pendingRequest, long deadlineNanos) {
    long rounded = Math.ceilDiv(deadlineNanos, GRID_NANOS) * GRID_NANOS;
    pendingRequest.deadlineNanos = rounded;
    earliestNanos = Math.min(earliestNanos, rounded);
  }

  @Nullable PendingRequest<?> get(long number) {
    return byNumber.get(number);
  }

  void remove(PendingRequest<?> pendingRequest) {
    byNumber.remove(pendingRequest.number);
    pendingRequest.waitMillis = 0;
  }

  int size() {
    return byNumber.size();
  }

  /** A lower bound of all deadlines. */
  long earliestNanos() {
    return earliestNanos;
  }

  /** All requests; valid until the next call of this or {@link #takeDue}. */
  List<PendingRequest<?>> takeAll() {
    due.clear();
    due.addAll(byNumber.values());
    return due;
  }

  /** The requests past their deadline, each once; valid until the next call. */
  List<PendingRequest<?>> takeDue(long nowNanos) {
    due.clear();
    if (nowNanos < earliestNanos) {
      return due;
    }
    earliestNanos = Stage.NO_DEADLINE;
    for (PendingRequest<?> pendingRequest : byNumber.values()) {
      if (pendingRequest.deadlineNanos <= nowNanos) {
        pendingRequest.deadlineNanos = Stage.NO_DEADLINE;
        due.add(pendingRequest);
      } else {
        earliestNanos = Math.min(earliestNanos, pendingRequest.deadlineNanos);
      }
    }
    return due;
  }
}
