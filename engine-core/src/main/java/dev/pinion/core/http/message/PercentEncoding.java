package dev.pinion.core.http.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoding of UTF-8 text in URIs (RFC 3986 section 2.1). */
public final class PercentEncoding {
  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  private static final String HEX = "0123456789ABCDEF";

  private PercentEncoding() {}

  /** Decodes text that consists of printable ASCII only. */
  public static String decode(String encoded) throws ProblemException {
    if (encoded.indexOf('%') < 0) {
      return encoded;
    }
    ByteBuffer bytes = ByteBuffer.allocate(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        bytes.put((byte) escape(encoded, i));
        i += 2;
      } else {
        bytes.put((byte) c);
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw refusal("percent-encoded UTF-8", encoded);
    }
  }

  private static int escape(String encoded, int at) throws ProblemException {
    int high = at + 1 < encoded.length() ? Character.digit(encoded.charAt(at + 1), 16) : -1;
    int low = at + 2 < encoded.length() ? Character.digit(encoded.charAt(at + 2), 16) : -1;
    if (high < 0 || low < 0) {
      throw refusal("two hexadecimal digits after each %", encoded);
    }
    return high << 4 | low;
  }

  private static ProblemException refusal(String expected, String found) {
    return new ProblemException(
        ProblemType.BAD_TARGET, "expected " + expected + ", found " + Problem.quoted(found));
  }

  /** Encodes everything but unreserved characters. */
  public static String encode(String text) {
    boolean plain = true;
    for (int i = 0; i < text.length() && plain; i++) {
      plain = UNRESERVED.indexOf(text.charAt(i)) >= 0;
    }
    if (plain) {
      return text;
    }
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (UNRESERVED.indexOf(b) >= 0) {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
      }
    }
    return encoded.toString();
  }
}
