package dev.pinion.broker.monitor;

/**
 * Sums over calls or requests, from which means and their errors follow. Sums may be weighted.
 *
 * @param count number of them, at least 0
 * @param failures number of failed ones
 * @param seconds the sum of their times
 * @param squares the sum of the squares of their times, in s²
 */
public record CallStatistics(double count, double failures, double seconds, double squares) {
  /** An empty tally. */
  public static final CallStatistics NONE = new CallStatistics(0, 0, 0, 0);

  /** The sum of both. */
  public CallStatistics plus(CallStatistics other) {
    return new CallStatistics(
        count + other.count,
        failures + other.failures,
        seconds + other.seconds,
        squares + other.squares);
  }

  /** The same with another weight. */
  public CallStatistics times(double weight) {
    return new CallStatistics(
        weight * count, weight * failures, weight * seconds, weight * squares);
  }

  /** Mean time in seconds; not a number without calls. */
  public double mean() {
    return seconds / count;
  }

  /** Standard error of {@link #mean}, in seconds. */
  public double meanError() {
    double variance = Math.max(0, squares / count - mean() * mean());
    return Math.sqrt(variance / count);
  }

  /** Part of successes; not a number without calls. */
  public double reliability() {
    return 1 - failures / count;
  }

  /**
   * Standard error of {@link #reliability}, as if one more had failed and one more succeeded: a
   * service that has never failed is not known to be perfect.
   */
  public double reliabilityError() {
    double failed = (failures + 1) / (count + 2);
    return Math.sqrt(failed * (1 - failed) / (count + 2));
  }
}
