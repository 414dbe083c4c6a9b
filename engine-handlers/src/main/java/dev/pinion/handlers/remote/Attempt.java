package dev.pinion.handlers.remote;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An attempt that a host has or had. Guarded by itself. */
final class Attempt {
  private volatile Frame.Run run;
  private final long deadlineNanos;
  private volatile FrameStore.@Nullable Kept kept;
  private @Nullable Thread thread;
  private byte @Nullable [] answer;
  private boolean overdue;

  Attempt(Frame.Run run, long nowNanos) {
    this(run, nowNanos, null);
  }

  /** An attempt of which not its requester is told but the server that keeps it. */
  Attempt(Frame.Run run, long nowNanos, FrameStore.@Nullable Kept kept) {
    this.run = run;
    this.kept = kept;
    this.deadlineNanos = nowNanos + run.budgetMillis() * 1_000_000L;
  }

  Frame.Run run() {
    return run;
  }

  /** What the server keeps, or null when a requester waits for it. */
  FrameStore.@Nullable Kept kept() {
    return kept;
  }

  /** It is over: what it was done with is let go, what names it stays. */
  void rest() {
    Frame.Run full = run;
    run =
        new Frame.Run(
            full.requester(),
            full.attempt(),
            full.delivery(),
            full.lost(),
            full.budgetMillis(),
            full.task().named());
    kept = null;
  }

  Key key() {
    return new Key(run.requester(), run.attempt());
  }

  /** When its requester stops waiting. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** The answer, when there is one. */
  synchronized byte @Nullable [] answer() {
    return answer;
  }

  /** A thread begins with it; answers false when its time is over before that. */
  synchronized boolean begin(Thread by) {
    thread = by;
    return !overdue;
  }

  /** Its thread is through with it; answers whether that came too late. */
  synchronized boolean leave() {
    thread = null;
    return overdue;
  }

  /** It is answered so. */
  synchronized void answered(byte[] given) {
    answer = given;
  }

  /** Gives it up when its time is over; answers whether that happened just now. */
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

  /** Whether a thread is in its handler now. */
  synchronized boolean isRunning() {
    return thread != null;
  }

  record Key(UUID requester, long attempt) {}
}
