package dev.pinion.handlers.run;

import dev.pinion.core.limits.HandlerLimits;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Queue of messages for which the window has no room yet: first come, first served, or by priority
 * and then by arrival. Bounded; for use by any thread.
 */
final class AdmissionQueue {
  private static final int MAX_RETRY_SECONDS = 60;

  private final ConcurrencyWindow concurrencyWindow;
  private final HandlerLimits limits;
  private final @Nullable String priority;
  private final Queue<QueuedMessage> waiting;
  private long waitingBytes;
  private long arrivals;
  private int inFlight;
  private double meanNanos;

  AdmissionQueue(
      ConcurrencyWindow concurrencyWindow, HandlerLimits limits, @Nullable String priority) {
    this.concurrencyWindow = concurrencyWindow;
    this.limits = limits;
    this.priority = priority;
    this.waiting =
        priority == null
            ? new ArrayDeque<>()
            : new PriorityQueue<>(
                Comparator.comparingLong(QueuedMessage::rank)
                    .thenComparingLong(QueuedMessage::arrival));
  }

  /** Adds a message, or returns the reason why there is no room for it. */
  synchronized Outcome.@Nullable Overloaded offer(MessageRun<?> run) {
    long bytes = run.message().heapBytes();
    if (waiting.size() >= limits.maxQueued()) {
      return new Outcome.Overloaded("handlers.maxQueued", retrySeconds());
    }
    if (waitingBytes + bytes > limits.maxQueuedBytes() && !waiting.isEmpty()) {
      return new Outcome.Overloaded("handlers.maxQueuedBytes", retrySeconds());
    }
    waiting.add(new QueuedMessage(run, bytes, rank(run), arrivals++));
    waitingBytes += bytes;
    return null;
  }

  /** The message whose turn it is, now with a permit; null when none may begin. */
  synchronized @Nullable MessageRun<?> next(long nowNanos) {
    QueuedMessage first = inFlight < concurrencyWindow.limit() ? waiting.poll() : null;
    if (first == null) {
      return null;
    }
    waitingBytes -= first.bytes;
    inFlight++;
    first.run.admitted(nowNanos);
    return first.run;
  }

  /** Returns the permit of a message at its end. */
  synchronized void release(MessageRun<?> run, long nowNanos) {
    long nanos = nowNanos - run.startedNanos();
    concurrencyWindow.sample(run.startedNanos(), nanos, inFlight, run.failed());
    inFlight--;
    meanNanos = meanNanos == 0 ? nanos : meanNanos + (nanos - meanNanos) / 16;
  }

  /** Number of messages with a permit. */
  synchronized int inFlight() {
    return inFlight;
  }

  synchronized int queued() {
    return waiting.size();
  }

  synchronized int limit() {
    return concurrencyWindow.limit();
  }

  /** Estimated seconds until the messages that wait now have begun. */
  private int retrySeconds() {
    double seconds = meanNanos * waiting.size() / concurrencyWindow.limit() / 1e9;
    return (int) Math.clamp(Math.ceil(seconds), 1, MAX_RETRY_SECONDS);
  }

  /** Rank, the lower the sooner. A value that is not a number ranks as 0. */
  private long rank(MessageRun<?> run) {
    String value = priority == null ? null : run.message().properties().get(priority);
    if (value == null || !value.matches("-?[0-9]{1,9}")) {
      return 0;
    }
    return -Long.parseLong(value);
  }

  private record QueuedMessage(MessageRun<?> run, long bytes, long rank, long arrival) {}
}
