package dev.pinion.broker.binding;

import java.util.List;

/**
 * How the invocations of one task by one class are dealt out: shares that all have had their part
 * of the calls at any time, but for a few. Immutable, but for the counter. Any thread; does not
 * wait, lock or allocate.
 */
final class Deal {
  private static final double TWO_TO_64 = 0x1p64;

  private final KroneckerCounter counter;

  /** By share but the last, the number from which the next one has its turn; unsigned. */
  private final long[] thresholds;

  /**
   * Deals by shares.
   *
   * @param fractions at least one; they sum up to 1
   */
  Deal(KroneckerCounter counter, List<Double> fractions) {
    this.counter = counter;
    thresholds = new long[fractions.size() - 1];
    double sum = 0;
    for (int i = 0; i < thresholds.length; i++) {
      sum += fractions.get(i);
      thresholds[i] = unsigned(sum);
    }
  }

  /** A fraction of the unsigned range; all of it for 1 and what rounding makes of it. */
  static long unsigned(double fraction) {
    double scaled = fraction * TWO_TO_64;
    if (scaled >= TWO_TO_64) {
      return -1;
    }
    return scaled < 0x1p63 ? (long) scaled : (long) (scaled - 0x1p63) + Long.MIN_VALUE;
  }

  /** Which of the shares has the next invocation. */
  int next() {
    long number = counter.next();
    int i = 0;
    while (i < thresholds.length && Long.compareUnsigned(number, thresholds[i]) >= 0) {
      i++;
    }
    return i;
  }
}
