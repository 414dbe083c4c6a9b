package dev.pinion.broker.adapt;

/**
 * How often solutions may follow each other: one may begin a second after the last one began, or
 * ten times as long as that took, up to a minute. So solving has a tenth of a CPU at most. One
 * thread at a time.
 */
public final class SolvePace {
  static final double LEAST_SECONDS = 1;
  static final double MOST_SECONDS = 60;
  private static final double REST = 10;

  private double opensSeconds = Double.NEGATIVE_INFINITY;

  /** Nothing was solved yet. */
  public SolvePace() {}

  /**
   * Whether a solution may begin.
   *
   * @param nowSeconds monotonic time
   */
  public boolean isOpen(double nowSeconds) {
    return nowSeconds >= opensSeconds;
  }

  /** A solution begins. */
  public void begins(double nowSeconds) {
    opensSeconds = nowSeconds + LEAST_SECONDS;
  }

  /** A solution has been made, or not: the next one waits in proportion to its time. */
  public void solved(double beganSeconds, double nowSeconds) {
    double rest = REST * (nowSeconds - beganSeconds);
    opensSeconds = beganSeconds + Math.clamp(rest, LEAST_SECONDS, MOST_SECONDS);
  }
}
