package dev.pinion.benchmarks.speedup;

/** Amdahl's law: a share of the work is serial, the rest is spread over n. */
public final class Amdahl {
  private Amdahl() {}

  /**
   * The serial share that explains a speed-up (Karp and Flatt's metric).
   *
   * @param speedUp measured speed-up, above 0
   * @param n number of workers, above 1. The lean-business-tier paper takes the number of cores,
   *     not of threads
   */
  public static double serialShare(double speedUp, int n) {
    if (n < 2 || !(speedUp > 0)) {
      throw new IllegalArgumentException(
          "expected n above 1 and a speed-up above 0, found " + n + " and " + speedUp);
    }
    return (n / speedUp - 1) / (n - 1);
  }

  /** The speed-up of n with a serial share. */
  public static double speedUp(double serialShare, int n) {
    return 1 / (serialShare + (1 - serialShare) / n);
  }
}
