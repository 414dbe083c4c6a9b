package dev.pinion.broker.monitor;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The straight line through the means of the last seconds, each weighted by its number of requests:
 * weighted least squares.
 *
 * @param value value of the line now, in seconds
 * @param slope in seconds per second
 * @param slopeError standard error of the slope, from the scatter of the means around the line
 */
public record LatencyTrend(double value, double slope, double slopeError) {
  /** Fewest points of a line. */
  static final int LEAST_POINTS = 10;

  /** Least significant slope, in its standard errors. */
  static final double SIGNIFICANT = 3;

  private static final LatencyTrend UNKNOWN =
      new LatencyTrend(Double.NaN, 0, Double.POSITIVE_INFINITY);

  static LatencyTrend of(List<SlidingWindow.Second> slots, double nowSeconds) {
    List<SlidingWindow.Second> points =
        slots.stream().filter(each -> each.tally().count() > 0).toList();
    if (points.size() < LEAST_POINTS) {
      return UNKNOWN;
    }
    double weights = 0;
    double meanTime = 0;
    double meanValue = 0;
    for (SlidingWindow.Second each : points) {
      weights += each.tally().count();
      meanTime += each.tally().count() * (each.second() - nowSeconds);
      meanValue += each.tally().seconds();
    }
    meanTime /= weights;
    meanValue /= weights;
    double spread = 0;
    double together = 0;
    for (SlidingWindow.Second each : points) {
      double time = each.second() - nowSeconds - meanTime;
      spread += each.tally().count() * time * time;
      together += each.tally().count() * time * (each.tally().mean() - meanValue);
    }
    double slope = together / spread;
    double rest = 0;
    for (SlidingWindow.Second each : points) {
      double time = each.second() - nowSeconds - meanTime;
      double off = each.tally().mean() - meanValue - slope * time;
      rest += each.tally().count() * off * off;
    }
    double error = Math.sqrt(rest / (points.size() - 2) / spread);
    return new LatencyTrend(meanValue - slope * meanTime, slope, error);
  }

  /**
   * Time until the line crosses a bound from below.
   *
   * @param bound in seconds
   * @return seconds from now; empty when it is above already, does not rise, or may rise by chance
   */
  public OptionalDouble crossing(double bound) {
    boolean rises = slope > 0 && slope > SIGNIFICANT * slopeError;
    return rises && value < bound
        ? OptionalDouble.of((bound - value) / slope)
        : OptionalDouble.empty();
  }
}
