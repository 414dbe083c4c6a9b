package dev.pinion.broker.monitor;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and times that one thread adds to and another one takes now and then. A call that is added
 * while something is taken may be in this batch with its time and in the next as a call; nothing is
 * lost, nothing counts twice, and there are never more failures than calls.
 */
final class Sums {
  private static final double MICROS_PER_SECOND = 1e6;

  private final Count count = new Count();
  private final Count failures = new Count();
  private final Count micros = new Count();

  /** Of times, in µs², as the bits of a double: those of days are beyond a long. */
  private final AtomicLong squares = new AtomicLong();

  private double squaresTaken;

  /** A number that one thread raises and another one takes the growth of. */
  static final class Count {
    private final AtomicLong value = new AtomicLong();
    private long taken;

    /** The writer's. No atomic addition: nobody else writes. */
    void add(long more) {
      value.setRelease(value.getPlain() + more);
    }

    /** The taker's: what came since the last time. */
    long take() {
      return take(Long.MAX_VALUE);
    }

    /**
     * The taker's: what came since the last time, or a part of it; the rest is for the next time.
     */
    long take(long most) {
      long since = Math.min(value.getAcquire() - taken, most);
      taken += since;
      return since;
    }
  }

  /**
   * The writer's.
   *
   * @param time in µs, at least 0
   */
  void add(long time, boolean success) {
    micros.add(time);
    double sum = Double.longBitsToDouble(squares.getPlain()) + (double) time * time;
    squares.setRelease(Double.doubleToRawLongBits(sum));
    if (!success) {
      failures.add(1);
    }
    count.add(1); // at last: who sees it sees the rest
  }

  /** The taker's: what came since the last time. Of a call that is not counted yet, nothing. */
  Tally take() {
    long calls = count.take();
    if (calls == 0) {
      return Tally.NONE;
    }
    double now = Double.longBitsToDouble(squares.getAcquire());
    double since = now - squaresTaken;
    squaresTaken = now;
    return new Tally(
        (double) calls,
        (double) failures.take(calls),
        micros.take() / MICROS_PER_SECOND,
        since / MICROS_PER_SECOND / MICROS_PER_SECOND);
  }
}
