package dev.pinion.benchmarks.speedup;

/**
 * Gustafson's law: the work grows with n, its serial part does not. Applicable only where the work
 * for each message grows with n; its serial share is that of the parallel run.
 */
public final class Gustafson {
  private Gustafson() {}

  /**
   * The serial share of the parallel run that explains a speed-up.
   *
   * @param n number of workers, above 1
   */
  public static double serialShare(double speedUp, int n) {
    if (n < 2 || !(speedUp > 0)) {
      throw new IllegalArgumentException(
          "expected n above 1 and a speed-up above 0, found " + n + " and " + speedUp);
    }
    return (n - speedUp) / (n - 1);
  }

  /** The speed-up of n with a serial share of the parallel run. */
  public static double speedUp(double serialShare, int n) {
    return n - serialShare * (n - 1);
  }
}
