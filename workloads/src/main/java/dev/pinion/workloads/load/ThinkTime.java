package dev.pinion.workloads.load;

import java.util.random.RandomGenerator;

/** Draws the think times of one client, see {@link LoadPlan}. */
final class ThinkTime {
  private static final double DEVIATION_OF_MEAN = Math.sqrt(0.5);

  /** In means; about one think time in 10^12 is longer. */
  private static final double LONGEST = 1 + 7 * DEVIATION_OF_MEAN;

  private final double meanNanos;
  private final RandomGenerator random;

  ThinkTime(long meanNanos, RandomGenerator random) {
    this.meanNanos = meanNanos;
    this.random = random;
  }

  /**
   * What is left of a think time at a moment that falls into it by chance, in ns: what a client
   * begins with, so that all of them ask at their mean rate from the beginning. Moments fall into a
   * think time in proportion to its length (the inspection paradox of renewal theory).
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
