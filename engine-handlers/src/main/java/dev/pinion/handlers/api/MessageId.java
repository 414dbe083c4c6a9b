package dev.pinion.handlers.api;

import java.util.HexFormat;
import java.util.UUID;

/**
 * Identifies a message for as long as it is remembered; duplicates are recognized by it.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record MessageId(long high, long low) {
  private static final int DIGITS = 32;

  /** A new id. Costs about a microsecond. */
  public static MessageId random() {
    UUID random = UUID.randomUUID();
    return new MessageId(random.getMostSignificantBits(), random.getLeastSignificantBits());
  }

  /**
   * Reads the output of {@link #toString}.
   *
   * @throws IllegalArgumentException when the text is anything but 32 hexadecimal digits
   */
  public static MessageId parse(String text) {
    if (text.length() != DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException(
          "expected a message id of " + DIGITS + " hexadecimal digits, found \"" + text + "\"");
    }
    return new MessageId(
        HexFormat.fromHexDigitsToLong(text, 0, DIGITS / 2),
        HexFormat.fromHexDigitsToLong(text, DIGITS / 2, DIGITS));
  }

  /** The id as 32 hexadecimal digits. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }
}
