package dev.pinion.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RatioFormatTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0.00",
    "1.037, 1.04",
    "450.236, 450.24",
    "0.1, 0.10",
    "0.0999, 0.10",
    "0.0949, 0.095",
    "0.00241, 0.0024",
    "-0.00241, -0.0024",
    "-1.5, -1.50",
    "NaN, NaN",
    "Infinity, Infinity"
  })
  void shouldKeepTwoDecimalsOrTwoDigitsOfASmallOne(double value, String text) {
    assertEquals(text, RatioFormat.text(value));
  }
}
