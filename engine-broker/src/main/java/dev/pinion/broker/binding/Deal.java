package dev.pinion.broker.binding;

import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Share;
import java.util.List;

/** How the invocations of one task by one class are dealt out. Immutable, but for the counter. */
final class Deal {
  private static final double TWO_TO_64 = 0x1p64;

  private final KroneckerCounter counter;
  private final Implementation[] implementations;

  /** By implementation but the last, the number from which the next one has its turn; unsigned. */
  private final long[] thresholds;

  private final List<Share> shares;

  /**
   * Deals by shares.
   *
   * @param shares at least one; their fractions sum up to 1
   */
  Deal(KroneckerCounter counter, List<Share> shares) {
    this.counter = counter;
    this.shares = List.copyOf(shares);
    implementations = shares.stream().map(Share::implementation).toArray(Implementation[]::new);
    thresholds = new long[implementations.length - 1];
    double sum = 0;
    for (int i = 0; i < thresholds.length; i++) {
      sum += shares.get(i).fraction();
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

  /** Who does the next invocation. */
  Implementation next() {
    return implementations[nextIndex()];
  }

  /** Which of the shares has the next invocation. */
  int nextIndex() {
    long number = counter.next();
    int i = 0;
    while (i < thresholds.length && Long.compareUnsigned(number, thresholds[i]) >= 0) {
      i++;
    }
    return i;
  }

  List<Share> shares() {
    return shares;
  }
}
