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
   * @param warm those of them that others have warmed up
   * @param perMeasurement time of each measurement beside the load
   */
  public record Extent(int engines, int variants, int warm, Duration perMeasurement) {
    private static final Duration START = Duration.ofSeconds(4);

    /** An experiment in which every variant is warmed up. */
    public Extent(int engines, int variants, Duration perMeasurement) {
      this(engines, variants, 0, perMeasurement);
    }

    /** An experiment that only loads engines. */
    public static Extent of(int engines, int variants) {
      return new Extent(engines, variants, Duration.ZERO);
    }

    /** The same with so many variants that others have warmed up. */
    public Extent withWarm(int number) {
      return new Extent(engines, variants, number, perMeasurement);
    }

    /**
     * The time it takes, about.
     *
     * @param warmUp of each variant that is not warm
     * @param measured load of each measurement, its ramp included
     */
    public Duration time(Duration warmUp, Duration measured, int rounds) {
      Duration one = measured.plus(perMeasurement).multipliedBy(rounds);
      return START
          .multipliedBy(engines)
          .plus(warmUp.multipliedBy(variants - warm))
          .plus(one.multipliedBy(variants));
    }
  }
}
