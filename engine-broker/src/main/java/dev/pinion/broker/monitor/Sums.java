package dev.pinion.broker.monitor;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and times that one thread adds to and another one takes now and then. What is added while
 * something is taken may count half of it in this batch and half in the next; nothing is lost and
 * nothing counts twice.
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
      long now = value.getAcquire();
      long since = now - taken;
      taken = now;
      return since;
    }
  }

  /**
   * The writer's.
   *
   * @param time in µs, at least 0
   */
  void add(long time, boolean success) {
    count.add(1);
    micros.add(time);
    double sum = Double.longBitsToDouble(squares.getPlain()) + (double) time * time;
    squares.setRelease(Double.doubleToRawLongBits(sum));
    if (!success) {
      failures.add(1);
    }
  }

  /** The taker's: what came since the last time. */
  Tally take() {
    double now = Double.longBitsToDouble(squares.getAcquire());
    double since = now - squaresTaken;
    squaresTaken = now;
    return new Tally(
        (double) count.take(),
        (double) failures.take(),
        micros.take() / MICROS_PER_SECOND,
        since / MICROS_PER_SECOND / MICROS_PER_SECOND);
  }
}
