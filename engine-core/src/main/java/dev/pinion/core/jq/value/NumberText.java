package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import java.math.BigInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers as text, in all the notations that jq reads: {@code 01}, {@code .5}, {@code nan}. */
public final class NumberText {
  /** Linear to match: no two parts can match the same characters. */
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]+(\\.[0-9]*)?|(\\.[0-9]+))([eE][+-]?[0-9]+)?");

  private static final Pattern NO_NUMBER = Pattern.compile("(?i)[+-]?s?nan");
  private static final Pattern INFINITE = Pattern.compile("(?i)[+-]?inf(?:inity)?");

  /** As many digits as every long has room for. */
  private static final int LONG_DIGITS = 18;

  private NumberText() {}

  /**
   * The number of a text, or null when it is none. Numbers beyond the range of a double become the
   * largest double of their sign.
   *
   * @param text at most some thousand characters
   */
  public static @Nullable JsonNode parse(String text) {
    var number = NUMBER.matcher(text);
    if (number.matches()) {
      boolean integer =
          number.group(1) == null && number.group(2) == null && number.group(3) == null;
      return integer ? integer(text) : finite(Double.parseDouble(text));
    }
    if (NO_NUMBER.matcher(text).matches()) {
      return DoubleNode.valueOf(Double.NaN);
    }
    return INFINITE.matcher(text).matches()
        ? finite(text.charAt(0) == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY)
        : null;
  }

  private static JsonNode integer(String text) {
    if (text.length() <= LONG_DIGITS) {
      return JqValues.number(Long.parseLong(text));
    }
    BigInteger value = new BigInteger(text);
    return value.bitLength() < Long.SIZE
        ? JqValues.number(value.longValue())
        : BigIntegerNode.valueOf(value);
  }

  private static JsonNode finite(double value) {
    return DoubleNode.valueOf(Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE));
  }
}
