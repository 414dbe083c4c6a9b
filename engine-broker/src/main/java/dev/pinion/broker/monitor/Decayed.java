package dev.pinion.broker.monitor;

/**
 * A tally in which old calls count less: half as much every {@link #HALF_LIFE_SECONDS}, but never
 * so little that fewer than {@link #LEAST_CALLS} of the calls are left. A service that is called
 * often is judged by its last seconds, one that is called rarely by its last calls. One thread at a
 * time.
 */
final class Decayed {
  static final double HALF_LIFE_SECONDS = 5;
  static final double LEAST_CALLS = 250;

  private Tally tally = Tally.NONE;
  private double lastSeconds;

  /**
   * Adds calls.
   *
   * @param nowSeconds monotonic time
   */
  void add(Tally more, double nowSeconds) {
    double age = Math.max(0, nowSeconds - lastSeconds);
    double byTime = Math.exp(-age * Math.log(2) / HALF_LIFE_SECONDS);
    double byCalls = tally.count() == 0 ? 0 : (LEAST_CALLS - more.count()) / tally.count();
    tally = tally.times(Math.clamp(byCalls, byTime, 1)).plus(more);
    lastSeconds = nowSeconds;
  }

  Tally tally() {
    return tally;
  }

  double lastSeconds() {
    return lastSeconds;
  }
}
