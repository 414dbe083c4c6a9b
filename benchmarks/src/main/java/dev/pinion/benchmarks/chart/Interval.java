package dev.pinion.benchmarks.chart;

/**
 * The middle and the spread of a value.
 *
 * @param low smallest value
 * @param middle value of the mark
 * @param high largest value
 */
public record Interval(double low, double middle, double high) {
  /** Checks the order. */
  public Interval {
    if (!(low <= middle && middle <= high)) {
      throw new IllegalArgumentException(
          "expected low, middle and high in this order, found "
              + low
              + ", "
              + middle
              + ", "
              + high);
    }
  }

  /** A value without spread, such as a computed one. */
  public static Interval exact(double value) {
    return new Interval(value, value, value);
  }
}
