package dev.pinion.core.jq.builtin;

import dev.pinion.core.jq.value.JqException;
import java.util.function.Function;

/** The characters between the quotation marks of a JSON string, with its escapes resolved. */
final class JsonStringEscapes {
  static final String CONTROL_CHARACTER =
      "Invalid string: control characters from U+0000 through U+001F must be escaped";

  private static final String SURROGATES = "Invalid \\uXXXX\\uXXXX surrogate pair escape";
  private static final String NO_HEX_DIGITS = "Invalid characters in \\uXXXX escape";
  private static final int HEX_DIGITS = 4;
  private static final int SHORT = -1;
  private static final int INVALID = -2;

  private final String raw;
  private final Function<String, JqException> failure;
  private final StringBuilder resolved = new StringBuilder();
  private int at;

  /**
   * A string.
   *
   * @param failure makes the error of a problem
   */
  JsonStringEscapes(String raw, Function<String, JqException> failure) {
    this.raw = raw;
    this.failure = failure;
  }

  String resolved() {
    while (at < raw.length()) {
      char c = raw.charAt(at++);
      if (c == '\\') {
        escape(raw.charAt(at++));
      } else if (c < ' ') {
        throw failure.apply(CONTROL_CHARACTER);
      } else {
        resolved.append(c);
      }
    }
    return resolved.toString();
  }

  private void escape(char c) {
    switch (c) {
      case '"', '\\', '/' -> resolved.append(c);
      case 'b' -> resolved.append('\b');
      case 'f' -> resolved.append('\f');
      case 'n' -> resolved.append('\n');
      case 'r' -> resolved.append('\r');
      case 't' -> resolved.append('\t');
      case 'u' -> character();
      default -> throw failure.apply("Invalid escape");
    }
  }

  /** The character of {@code \\u}; the second half of a surrogate pair alone is replaced. */
  private void character() {
    int first = hex();
    if (first < 0) {
      throw failure.apply(first == SHORT ? "Invalid \\uXXXX escape" : NO_HEX_DIGITS);
    }
    if (Character.isHighSurrogate((char) first)) {
      if (!raw.startsWith("\\u", at)) {
        throw failure.apply(SURROGATES);
      }
      at += 2;
      int second = hex();
      if (second < 0 || !Character.isLowSurrogate((char) second)) {
        throw failure.apply(SURROGATES);
      }
      resolved.append((char) first).append((char) second);
    } else {
      resolved.append(Character.isSurrogate((char) first) ? '\ufffd' : (char) first);
    }
  }

  /** The number of four digits, or a negative one for what is wrong with them. */
  private int hex() {
    if (at + HEX_DIGITS > raw.length()) {
      return SHORT;
    }
    int value = 0;
    for (int end = at + HEX_DIGITS; at < end; at++) {
      int digit = Character.digit(raw.charAt(at), 16);
      if (digit < 0 || raw.charAt(at) > 'f') {
        return INVALID;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
