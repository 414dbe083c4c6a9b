package dev.pinion.broker.binding;

import java.util.List;

/**
 * Distribution of the invocations of one task by one class: each share has had its part of the
 * calls at any time, except for a few. Immutable except for the counter. Any thread; does not wait,
 * lock or allocate.
 */
final class WeightedChoice {
  private static final double TWO_TO_64 = 0x1p64;

  private final KroneckerCounter counter;

  /** For each share but the last, the number from which the next one has its turn; unsigned. */
  private final long[] thresholds;

  /**
   * A distribution by shares.
   *
   * @param fractions at least one; they sum up to 1
   */
  WeightedChoice(KroneckerCounter counter, List<Double> fractions) {
    this.counter = counter;
    thresholds = new long[fractions.size() - 1];
    double sum = 0;
    for (int i = 0; i < thresholds.length; i++) {
      sum += fractions.get(i);
      thresholds[i] = unsigned(sum);
    }
  }

  /** A fraction of the unsigned range; all of it for 1, also when rounding exceeds it. */
  static long unsigned(double fraction) {
    double scaled = fraction * TWO_TO_64;
    if (scaled >= TWO_TO_64) {
      return -1;
    }
    return scaled < 0x1p63 ? (long) scaled : (long) (scaled - 0x1p63) + Long.MIN_VALUE;
  }

  /** Index of the share for the next invocation. */
  int next() {
    long number = counter.next();
    int i = 0;
    while (i < thresholds.length && Long.compareUnsigned(number, thresholds[i]) >= 0) {
      i++;
    }
    return i;
  }
}
