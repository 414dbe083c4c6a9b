package dev.pinion.broker.document;

/**
 * Range of the numbers of a field.
 *
 * @param text description in messages
 * @param low least number
 * @param isOpen whether the least number itself is left out
 * @param high greatest number
 */
record NumberRange(String text, double low, boolean isOpen, double high) {
  /** Greatest number of a problem, so that no product of a few of them overflows. */
  static final double MOST = 1e12;

  static final NumberRange ANY = new NumberRange("a number", -MOST, false, MOST);
  static final NumberRange AT_LEAST_0 = new NumberRange("a number of at least 0", 0, false, MOST);
  static final NumberRange ABOVE_0 = new NumberRange("a number above 0", 0, true, MOST);
  static final NumberRange AT_LEAST_1 = new NumberRange("a number of at least 1", 1, false, MOST);
  static final NumberRange PROBABILITY = new NumberRange("a number from 0 to 1", 0, false, 1);
  static final NumberRange ABOVE_0_TO_1 =
      new NumberRange("a number above 0 and up to 1", 0, true, 1);

  /** The expectation that a value violates. */
  String expected(double found) {
    return found > high && high == MOST ? "a number of at most 1e12" : text;
  }

  boolean contains(double value) {
    return value >= low && value <= high && !(isOpen && value == low);
  }
}
