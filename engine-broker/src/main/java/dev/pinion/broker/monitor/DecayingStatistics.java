package dev.pinion.broker.monitor;

/**
 * A tally in which old calls count less: half as much every {@link #HALF_LIFE_SECONDS}, but never
 * so little that fewer than {@link #LEAST_CALLS} of the calls are left. A service that is called
 * often is judged by its last seconds, one that is called rarely by its last calls. One thread at a
 * time.
 */
final class DecayingStatistics {
  static final double HALF_LIFE_SECONDS = 5;
  static final double LEAST_CALLS = 250;

  private CallStatistics callStatistics = CallStatistics.NONE;
  private double lastSeconds;

  /**
   * Adds calls.
   *
   * @param nowSeconds monotonic time
   */
  void add(CallStatistics more, double nowSeconds) {
    double age = Math.max(0, nowSeconds - lastSeconds);
    double byTime = Math.exp(-age * Math.log(2) / HALF_LIFE_SECONDS);
    double byCalls =
        callStatistics.count() == 0 ? 0 : (LEAST_CALLS - more.count()) / callStatistics.count();
    callStatistics = callStatistics.times(Math.clamp(byCalls, byTime, 1)).plus(more);
    lastSeconds = nowSeconds;
  }

  CallStatistics tally() {
    return callStatistics;
  }

  double lastSeconds() {
    return lastSeconds;
  }
}
