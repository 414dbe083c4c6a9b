package dev.pinion.workloads.load;

import java.util.random.RandomGenerator;

/** Draws the think times of one client, see {@link LoadPlan}. */
final class ThinkTime {
  private static final double DEVIATION_OF_MEAN = Math.sqrt(0.5);

  private final double meanNanos;
  private final RandomGenerator random;

  ThinkTime(long meanNanos, RandomGenerator random) {
    this.meanNanos = meanNanos;
    this.random = random;
  }

  /** The next think time in ns, at least 0. */
  long nextNanos() {
    return meanNanos == 0
        ? 0
        : Math.max(0, (long) random.nextGaussian(meanNanos, meanNanos * DEVIATION_OF_MEAN));
  }
}
