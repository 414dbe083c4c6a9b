package dev.pinion.handlers.remote;

import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.transport.FrameStore;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An attempt that a host has or had. Guarded by itself. */
final class HostAttempt {
  private volatile Frame.Run run;
  private final long deadlineNanos;
  private volatile FrameStore.@Nullable StoredFrame storedFrame;
  private @Nullable Thread thread;
  private byte @Nullable [] answer;
  private boolean overdue;

  HostAttempt(Frame.Run run, long nowNanos) {
    this(run, nowNanos, null);
  }

  /**
   * An attempt whose outcome is reported to the server that stores it, instead of its requester.
   */
  HostAttempt(Frame.Run run, long nowNanos, FrameStore.@Nullable StoredFrame storedFrame) {
    this.run = run;
    this.storedFrame = storedFrame;
    this.deadlineNanos = nowNanos + run.budgetMillis() * 1_000_000L;
  }

  Frame.Run run() {
    return run;
  }

  /** The stored message, or null when a requester waits for it. */
  FrameStore.@Nullable StoredFrame kept() {
    return storedFrame;
  }

  /** Drops the content of an attempt that is over, but keeps its identity. */
  void releasePayload() {
    Frame.Run full = run;
    run =
        new Frame.Run(
            full.requester(),
            full.attempt(),
            full.delivery(),
            full.lost(),
            full.budgetMillis(),
            full.task().named());
    storedFrame = null;
  }

  AttemptKey key() {
    return new AttemptKey(run.requester(), run.attempt());
  }

  /** Time at which its requester stops waiting. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** The answer, when there is one. */
  synchronized byte @Nullable [] answer() {
    return answer;
  }

  /** Begins it on a thread; returns false when its time is already over. */
  synchronized boolean begin(Thread by) {
    thread = by;
    return !overdue;
  }

  /** Ends it on its thread; returns whether that came too late. */
  synchronized boolean finish() {
    thread = null;
    return overdue;
  }

  /** Sets the answer. */
  synchronized void answered(byte[] given) {
    answer = given;
  }

  /** Abandons it when its time is over; returns whether that happened just now. */
  synchronized boolean giveUp(long nowNanos) {
    if (overdue || answer != null || nowNanos - deadlineNanos < 0) {
      return false;
    }
    overdue = true;
    Thread by = thread;
    if (by != null) {
      by.interrupt();
    }
    return true;
  }

  /** Whether a thread is currently in its handler. */
  synchronized boolean isRunning() {
    return thread != null;
  }

  record AttemptKey(UUID requester, long attempt) {}
}
