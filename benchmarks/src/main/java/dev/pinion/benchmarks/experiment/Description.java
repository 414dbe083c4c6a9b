package dev.pinion.benchmarks.experiment;

import java.time.Duration;

/**
 * What an experiment is, for those who choose one and those who read its report.
 *
 * @param shows what it shows, a sentence
 * @param source the paper and figure that it repeats, and what was found there; empty for none
 * @param hardware what makes it meaningful
 * @param reading how to read it beyond what holds for all experiments; empty for nothing
 */
public record Description(String shows, String source, Hardware hardware, String reading) {
  /**
   * How much an experiment does, from which its time is estimated.
   *
   * @param engines engines that are started
   * @param variants variants of all comparisons together
   * @param perMeasurement time of each measurement beside the load
   */
  public record Extent(int engines, int variants, Duration perMeasurement) {
    private static final Duration START = Duration.ofSeconds(4);

    /** An experiment that only loads engines. */
    public static Extent of(int engines, int variants) {
      return new Extent(engines, variants, Duration.ZERO);
    }

    /**
     * The time it takes, about.
     *
     * @param warmUp for each variant
     * @param measured load of each measurement, its ramp included
     */
    public Duration time(Duration warmUp, Duration measured, int rounds) {
      Duration one = warmUp.plus(measured.plus(perMeasurement).multipliedBy(rounds));
      return START.multipliedBy(engines).plus(one.multipliedBy(variants));
    }
  }
}
