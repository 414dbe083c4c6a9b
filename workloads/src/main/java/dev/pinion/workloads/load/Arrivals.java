package dev.pinion.workloads.load;

import java.util.SplittableRandom;

/**
 * Requests that come at a rate of their own, whether or not earlier ones have been answered (the
 * open model).
 *
 * @param pattern how they follow each other
 * @param perSecond their mean rate, above 0 and at most {@value #MAX_PER_SECOND}
 */
public record Arrivals(Pattern pattern, double perSecond) {
  /** The highest rate. */
  public static final double MAX_PER_SECOND = 10_000_000;

  /** Checks the rate. */
  public Arrivals {
    if (!(perSecond > 0 && perSecond <= MAX_PER_SECOND)) {
      throw new IllegalArgumentException(
          "expected a rate above 0 and at most "
              + (long) MAX_PER_SECOND
              + "/s, found "
              + perSecond);
    }
  }

  /** How arrivals follow each other. */
  public enum Pattern {
    /** Equally spaced. */
    CONSTANT,
    /** Independent of each other: gaps have an exponential distribution. */
    POISSON,
    /**
     * Poisson at {@value ArrivalSchedule#PEAK} times the mean rate during bursts, nothing between
     * them. Bursts last {@value ArrivalSchedule#BURST_MILLIS} ms in the mean, pauses as much longer
     * as keeps the mean rate; both have exponential distributions.
     */
    BURSTY
  }

  /**
   * The part of these arrivals that one of several equal sources makes. The parts together have the
   * rate of the whole; bursts come to all sources at the same time.
   *
   * @param source number of the source, from 0
   * @param sources how many there are
   * @param seed what random times depend on
   */
  ArrivalSchedule schedule(int source, int sources, long seed) {
    double gapNanos = 1e9 * sources / perSecond;
    return switch (pattern) {
      case CONSTANT -> ArrivalSchedule.constant(gapNanos, (double) source / sources);
      case POISSON -> ArrivalSchedule.poisson(gapNanos, own(source, seed));
      case BURSTY ->
          ArrivalSchedule.bursty(gapNanos, new SplittableRandom(seed), own(source, seed));
    };
  }

  private static SplittableRandom own(int source, long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
    SplittableRandom own = random.split();
    for (int i = 0; i < source; i++) {
      own = random.split();
    }
    return own;
  }
}
