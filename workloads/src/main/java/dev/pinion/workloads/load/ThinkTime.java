package dev.pinion.workloads.load;

import java.util.random.RandomGenerator;

/** Draws the think times of one client, see {@link LoadPlan}. */
final class ThinkTime {
  private static final double DEVIATION_OF_MEAN = Math.sqrt(0.5);

  /** Longest think time, in means; about one in 10^12 would be longer. */
  private static final double LONGEST = 1 + 7 * DEVIATION_OF_MEAN;

  private final double meanNanos;
  private final RandomGenerator random;

  ThinkTime(long meanNanos, RandomGenerator random) {
    this.meanNanos = meanNanos;
    this.random = random;
  }

  /**
   * Remaining think time at a random moment, in ns: initial value of a client, so that all clients
   * send at their mean rate from the beginning. Moments fall into a think time in proportion to its
   * length (the inspection paradox of renewal theory).
   */
  long restNanos() {
    long thinkNanos = nextNanos();
    while (thinkNanos < random.nextDouble() * LONGEST * meanNanos) {
      thinkNanos = nextNanos();
    }
    return (long) (random.nextDouble() * thinkNanos);
  }

  /** The next think time in ns, at least 0. */
  long nextNanos() {
    return meanNanos == 0
        ? 0
        : Math.max(0, (long) random.nextGaussian(meanNanos, meanNanos * DEVIATION_OF_MEAN));
  }
}
