package dev.pinion.broker.lp;

import java.util.Arrays;

/** A list of doubles that grows. */
final class DoubleList {
  private double[] values = new double[16];
  private int size;

  void add(double value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  double[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
