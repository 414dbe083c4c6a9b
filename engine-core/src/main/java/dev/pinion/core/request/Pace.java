package dev.pinion.core.request;

/** At most one time in each interval. One thread. */
final class Pace {
  private final long intervalNanos;
  private boolean begun;
  private long latestNanos;

  /** No time yet. */
  Pace(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** When the next time may be: now, or later. */
  long earliestNanos(long nowNanos) {
    long leftNanos = begun ? intervalNanos - (nowNanos - latestNanos) : 0;
    return nowNanos + Math.max(0, leftNanos);
  }

  /** A time is now. */
  void advance(long nowNanos) {
    begun = true;
    latestNanos = nowNanos;
  }
}
