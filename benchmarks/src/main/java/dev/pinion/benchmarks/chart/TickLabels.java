package dev.pinion.benchmarks.chart;

import java.util.Locale;

/** Numbers as plots show them. */
final class TickLabels {
  private TickLabels() {}

  /** Three significant digits, thousands separated, no zeros at the end. */
  static String text(double value) {
    double size = Math.abs(value);
    int decimals =
        size >= 100 || size == 0 ? 0 : (int) Math.clamp(2 - Math.floor(Math.log10(size)), 0, 6);
    String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }

  /** A coordinate in pixels. */
  static String pixels(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
