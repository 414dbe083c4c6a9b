package dev.pinion.broker.analyse;

/**
 * Rate of solutions: one may begin a second after the last one began, or ten times its duration, up
 * to a minute. So solving takes a tenth of a CPU at most. One thread at a time.
 */
public final class SolveRateLimiter {
  static final double LEAST_SECONDS = 1;
  static final double MOST_SECONDS = 60;
  private static final double REST = 10;

  private double opensSeconds = Double.NEGATIVE_INFINITY;

  /** A pace before the first solution. */
  public SolveRateLimiter() {}

  /**
   * Whether a solution may begin.
   *
   * @param nowSeconds monotonic time
   */
  public boolean isOpen(double nowSeconds) {
    return nowSeconds >= opensSeconds;
  }

  /** Records that a solution begins. */
  public void begins(double nowSeconds) {
    opensSeconds = nowSeconds + LEAST_SECONDS;
  }

  /**
   * Records the end of a solution, successful or not: the next one waits in proportion to its time.
   */
  public void solved(double beganSeconds, double nowSeconds) {
    double rest = REST * (nowSeconds - beganSeconds);
    opensSeconds = beganSeconds + Math.clamp(rest, LEAST_SECONDS, MOST_SECONDS);
  }
}
