package dev.pinion.core.journal.store;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Identity of a log: 128 random bits. It salts every checksum, so that records of another log, or
 * bytes of a payload made to look like a record, are not accepted as records.
 *
 * @param high the first 64 bits
 * @param low the other 64 bits
 */
public record LogId(long high, long low) {
  static final int BYTES = 16;

  /** A new identity. */
  public static LogId random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new LogId(buffer.getLong(), buffer.getLong());
  }

  /**
   * Parses the text of {@link #toString}.
   *
   * @throws IllegalArgumentException when the text is not 32 hexadecimal digits
   */
  public static LogId parse(String text) {
    byte[] bytes = HexFormat.of().parseHex(text);
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "expected 32 hexadecimal digits, found " + text.length() + " characters");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new LogId(buffer.getLong(), buffer.getLong());
  }

  byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes());
  }
}
