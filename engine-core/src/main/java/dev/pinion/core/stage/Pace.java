package dev.pinion.core.stage;

/** At most one event in each interval. One thread. */
public final class Pace {
  private final long intervalNanos;
  private boolean begun;
  private long latestNanos;

  /** A pace without events so far. */
  public Pace(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** The earliest time of the next event: now, or later. */
  public long earliestNanos(long nowNanos) {
    long leftNanos = begun ? intervalNanos - (nowNanos - latestNanos) : 0;
    return nowNanos + Math.max(0, leftNanos);
  }

  /** Records an event now. */
  public void advance(long nowNanos) {
    begun = true;
    latestNanos = nowNanos;
  }
}
