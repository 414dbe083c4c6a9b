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
public final class PendingRequests {
  /** Deadlines are multiples of this many nanoseconds. */
  static final long GRID_NANOS = 10_000_000;

  private final Long2ObjectHashMap<PendingRequest> byNumber = new Long2ObjectHashMap<>();
  private final List<PendingRequest> due = new ArrayList<>();
  private long lastNumber;
  private long earliestNanos = Stage.NO_DEADLINE;

  /** Gives an inquiry a number and keeps it until it is removed. */
  public long add(PendingRequest pendingRequest) {
    pendingRequest.number = ++lastNumber;
    byNumber.put(pendingRequest.number, pendingRequest);
    return pendingRequest.number;
  }

  /** Sets the deadline of an inquiry. */
  public void deadline(PendingRequest pendingRequest, long deadlineNanos) {
    long rounded = Math.ceilDiv(deadlineNanos, GRID_NANOS) * GRID_NANOS;
    pendingRequest.deadlineNanos = rounded;
    earliestNanos = Math.min(earliestNanos, rounded);
  }

  @Nullable PendingRequest get(long number) {
    return byNumber.get(number);
  }

  public void remove(PendingRequest pendingRequest) {
    byNumber.remove(pendingRequest.number);
  }

  int size() {
    return byNumber.size();
  }

  /** A lower bound of all deadlines. */
  long earliestNanos() {
    return earliestNanos;
  }

  /** All inquiries; valid until the next call of this or {@link #takeDue}. */
  List<PendingRequest> takeAll() {
    due.clear();
    due.addAll(byNumber.values());
    return due;
  }

  /** The inquiries past their deadline, each once; valid until the next call. */
  List<PendingRequest> takeDue(long nowNanos) {
    due.clear();
    if (nowNanos < earliestNanos) {
      return due;
    }
    earliestNanos = Stage.NO_DEADLINE;
    for (PendingRequest pendingRequest : byNumber.values()) {
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
