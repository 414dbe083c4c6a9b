package dev.pinion.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Text of a ratio of two values. */
public final class RatioFormat {
  private static final double SMALL = 0.1;
  private static final MathContext TWO_DIGITS = new MathContext(2);

  private RatioFormat() {}

  /**
   * With two decimals, or with two significant digits where it is small: 1.04, 0.35, 0.0024.
   *
   * @param value the ratio, which may be NaN
   */
  public static String text(double value) {
    return value != 0 && Math.abs(value) < SMALL
        ? new BigDecimal(value).round(TWO_DIGITS).toPlainString()
        : String.format(Locale.ROOT, "%,.2f", value);
  }
}
