package dev.pinion.workloads.load;

import java.util.SplittableRandom;

/**
 * Requests that arrive at a given rate, whether or not earlier ones have been answered (the open
 * model).
 *
 * @param pattern distribution of their intervals
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

  /** Distribution of intervals between arrivals. */
  public enum Pattern {
    /** Equally spaced. */
    CONSTANT,
    /** Independent of each other: gaps have an exponential distribution. */
    POISSON,
    /**
     * Poisson at {@value ArrivalSchedule#PEAK} times the mean rate during bursts, none between
     * them. Bursts last {@value ArrivalSchedule#BURST_MILLIS} ms in the mean, pauses so much longer
     * that the mean rate is kept; both have exponential distributions.
     */
    BURSTY
  }

  /**
   * The share of these arrivals of one of several equal sources. The shares together have the rate
   * of the whole; bursts affect all sources at the same time.
   *
   * @param source number of the source, from 0
   * @param sources number of sources
   * @param seed seed of random times
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
