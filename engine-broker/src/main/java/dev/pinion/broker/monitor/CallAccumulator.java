package dev.pinion.broker.monitor;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and times that one thread adds to and another one takes now and then. A call that is added
 * during a take may be in this batch with its time and in the next as a call; nothing is lost,
 * nothing counts twice, and there are never more failures than calls.
 */
final class CallAccumulator {
  private static final double MICROS_PER_SECOND = 1e6;

  private final SingleWriterCounter singleWriterCounter = new SingleWriterCounter();
  private final SingleWriterCounter failures = new SingleWriterCounter();
  private final SingleWriterCounter micros = new SingleWriterCounter();

  /** Sum of squares of times, in µs², as the bits of a double: sums of days exceed a long. */
  private final AtomicLong squares = new AtomicLong();

  private double squaresTaken;

  /** A number that one thread increases and whose growth another one takes. */
  static final class SingleWriterCounter {
    private final AtomicLong value = new AtomicLong();
    private long taken;

    /** Adds, by the writer. No atomic addition: there is only one writer. */
    void add(long more) {
      value.setRelease(value.getPlain() + more);
    }

    /** Takes the growth since the last time, by the taker. */
    long take() {
      return take(Long.MAX_VALUE);
    }

    /**
     * Takes the growth since the last time, or a part of it, by the taker; the rest is for the next
     * time.
     */
    long take(long most) {
      long since = Math.min(value.getAcquire() - taken, most);
      taken += since;
      return since;
    }
  }

  /**
   * Adds a call, by the writer.
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
    singleWriterCounter.add(1); // last: a thread that reads it reads the rest, too
  }

  /**
   * Takes the sums since the last time, by the taker. Nothing of a call that is not counted yet.
   */
  CallStatistics drain() {
    long calls = singleWriterCounter.take();
    if (calls == 0) {
      return CallStatistics.NONE;
    }
    double now = Double.longBitsToDouble(squares.getAcquire());
    double since = now - squaresTaken;
    squaresTaken = now;
    return new CallStatistics(
        (double) calls,
        (double) failures.take(calls),
        micros.take() / MICROS_PER_SECOND,
        since / MICROS_PER_SECOND / MICROS_PER_SECOND);
  }
}
