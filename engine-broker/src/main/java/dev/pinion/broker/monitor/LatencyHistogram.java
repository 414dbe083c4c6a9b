package dev.pinion.broker.monitor;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * Distribution of times that one thread adds to and another one takes now and then, in classes that
 * are less than 1 % wide. Counts only grow, so that nothing is lost and nothing counts twice,
 * whatever is added meanwhile. A recorder of HdrHistogram would need two atomic additions for each
 * time, at the cost of every call.
 */
final class LatencyHistogram {
  /** Upper bound of times: a day, in µs. */
  static final long MAX_MICROS = 86_400_000_000L;

  private static final int DIGITS = 2;

  /** Classes between a power of two and the next one, as a power of two. */
  private static final int CLASS_BITS = 7;

  private static final int CLASSES = 1 << CLASS_BITS;

  /** Classes at the beginning: those of times below 256 µs. */
  private static final int FEW = 2 * CLASSES;

  /** Counts; grown by the writer, which copies the existing ones. */
  private volatile AtomicLongArray counts = new AtomicLongArray(FEW);

  /** Counts already taken, by the taker. */
  private long[] taken = new long[0];

  /**
   * Adds a time, by the writer.
   *
   * @param micros 0 to {@link #MAX_MICROS}
   */
  void add(long micros) {
    int index = index(micros);
    AtomicLongArray current = counts;
    if (index >= current.length()) {
      current = grown(current, index);
      counts = current;
    }
    current.setRelease(index, current.getPlain(index) + 1);
  }

  private static AtomicLongArray grown(AtomicLongArray from, int index) {
    AtomicLongArray to = new AtomicLongArray((index / CLASSES + 1) * CLASSES);
    for (int i = 0; i < from.length(); i++) {
      to.setPlain(i, from.getPlain(i));
    }
    return to;
  }

  /** Takes the times since the last time, in µs, by the taker. */
  Histogram drain() {
    AtomicLongArray current = counts;
    if (taken.length < current.length()) {
      taken = Arrays.copyOf(taken, current.length());
    }
    Histogram since = new Histogram(DIGITS);
    for (int i = 0; i < taken.length; i++) {
      long now = current.getAcquire(i);
      if (now > taken[i]) {
        since.recordValueWithCount(middle(i), now - taken[i]);
        taken[i] = now;
      }
    }
    return since;
  }

  /** The class of a time: each time below 256 µs is one, longer ones by their first eight bits. */
  static int index(long micros) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(micros) - CLASS_BITS - 1);
    return (shift << CLASS_BITS) + (int) (micros >>> shift);
  }

  /** The middle of a class, in µs. */
  static long middle(int index) {
    int shift = Math.max(0, (index >> CLASS_BITS) - 1);
    long least = (long) (index - (shift << CLASS_BITS)) << shift;
    return least + ((1L << shift) >> 1);
  }
}
