package dev.pinion.benchmarks.chart;

/**
 * The quantity along an edge of a plot.
 *
 * @param label name of the quantity
 * @param unit its unit, empty for a plain number
 * @param logarithmic whether equal ratios have equal lengths; for values above 0 only
 */
public record Axis(String label, String unit, boolean logarithmic) {
  /** A linear axis. */
  public static Axis linear(String label, String unit) {
    return new Axis(label, unit, false);
  }

  /** A logarithmic axis. */
  public static Axis logarithmic(String label, String unit) {
    return new Axis(label, unit, true);
  }

  /** Label and unit. */
  String text() {
    return unit.isEmpty() ? label : label + " [" + unit + "]";
  }
}
