package dev.pinion.benchmarks.experiment;

import java.time.Duration;

/**
 * Description of an experiment, for its users and for readers of its report.
 *
 * @param shows its purpose, a sentence
 * @param source the paper and figure that it repeats, and their result; empty for none
 * @param hardware hardware that it needs to be meaningful
 * @param reading how to read it, beyond the general rules; empty for nothing
 */
public record ExperimentDescription(
    String shows, String source, HardwareRequirement hardware, String reading) {
  /**
   * Extent of an experiment, from which its time is estimated.
   *
   * @param engines started engines
   * @param variants variants of all comparisons together
   * @param warm variants among them that others have warmed up
   * @param perMeasurement time of each measurement besides the load
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

    /** An experiment of engines with one variant each. */
    public static Extent each(int engines) {
      return of(engines, engines);
    }

    /**
     * An experiment that loads engines at several points, of which the first one warms them up.
     *
     * @param variants variants at each point
     */
    public static Extent sweep(int engines, int variants, int points) {
      return of(engines, variants * points).withWarm(variants * (points - 1));
    }

    /** This extent with further variants, which are warmed up as well. */
    public Extent with(int further) {
      return new Extent(engines, variants + further, warm, perMeasurement);
    }

    /** This extent with a number of variants that others have warmed up. */
    public Extent withWarm(int number) {
      return new Extent(engines, variants, number, perMeasurement);
    }

    /**
     * The approximate time.
     *
     * @param warmUp warm-up of each variant that is not warm
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
