package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.LoadVariant;

/** Rates to offer, derived from the capacity of a variant. */
public final class OfferedRate {
  private static final double LEAST = 1;
  private static final double MOST_SHARE = 2;

  private OfferedRate() {}

  /**
   * Throughput of a variant under its closed load, after a warm-up.
   *
   * @return right responses per second
   */
  public static double capacity(LoadVariant variant)
      throws MeasurementException, InterruptedException {
    variant.warmUp();
    return variant.capacity();
  }

  /**
   * Requires a share of a capacity to be above 0 and up to 2.
   *
   * @param option option that names it
   */
  public static void requireShare(String option, double share) {
    if (!(share > 0 && share <= MOST_SHARE)) {
      throw new IllegalArgumentException(
          "expected " + option + " above 0 and up to 2, found " + share);
    }
  }

  /** A share of a capacity in two digits, at least one a second. */
  public static double share(double share, double capacity) {
    double exact = Math.max(LEAST, share * capacity);
    double unit = Math.pow(10, Math.floor(Math.log10(exact)) - 1);
    return Math.max(LEAST, Math.round(exact / unit) * unit);
  }
}
