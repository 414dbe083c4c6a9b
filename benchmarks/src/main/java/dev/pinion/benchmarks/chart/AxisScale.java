package dev.pinion.benchmarks.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Maps values to places along an axis, with round ticks.
 *
 * @param from value at the beginning, a tick
 * @param to value at the end, above it, a tick
 * @param ticks values that are labelled
 */
record AxisScale(double from, double to, boolean logarithmic, List<Double> ticks) {
  private static final int TICKS = 6;
  private static final int MOST_DECADES_WITH_STEPS = 2;

  /** A scale that shows all values; a linear one begins at 0 unless there are values below it. */
  static AxisScale of(double[] values, boolean logarithmic) {
    double least = DoubleStream.of(values).min().orElse(0);
    double most = DoubleStream.of(values).max().orElse(1);
    return logarithmic && least > 0 ? logarithmic(least, most) : linear(Math.min(0, least), most);
  }

  private static AxisScale linear(double least, double most) {
    double span = most > least ? most - least : 1;
    double step = step(span / TICKS);
    double first = Math.floor(least / step) * step;
    List<Double> ticks = new ArrayList<>();
    int count = (int) Math.ceil((least + span - first) / step - 1e-9);
    for (int i = 0; i <= count; i++) {
      ticks.add(first + i * step);
    }
    return new AxisScale(ticks.getFirst(), ticks.getLast(), false, ticks);
  }

  /** The smallest of 1, 2, 5, 10, … that is not below a step. */
  private static double step(double least) {
    double decade = Math.pow(10, Math.floor(Math.log10(least)));
    for (int factor : new int[] {1, 2, 5}) {
      if (factor * decade >= least * (1 - 1e-9)) {
        return factor * decade;
      }
    }
    return 10 * decade;
  }

  private static AxisScale logarithmic(double least, double most) {
    int first = (int) Math.floor(Math.log10(least) + 1e-9);
    int last = Math.max(first + 1, (int) Math.ceil(Math.log10(most) - 1e-9));
    int[] factors = last - first <= MOST_DECADES_WITH_STEPS ? new int[] {1, 2, 5} : new int[] {1};
    List<Double> ticks = new ArrayList<>();
    for (int decade = first; decade < last; decade++) {
      for (int factor : factors) {
        ticks.add(factor * Math.pow(10, decade));
      }
    }
    ticks.add(Math.pow(10, last));
    while (ticks.size() > 2 && ticks.get(1) <= least) {
      ticks.removeFirst();
    }
    while (ticks.size() > 2 && ticks.get(ticks.size() - 2) >= most) {
      ticks.removeLast();
    }
    return new AxisScale(ticks.getFirst(), ticks.getLast(), true, ticks);
  }

  /** Place of a value: 0 at the beginning, 1 at the end. */
  double position(double value) {
    return logarithmic
        ? Math.log(value / from) / Math.log(to / from)
        : (value - from) / (to - from);
  }
}
