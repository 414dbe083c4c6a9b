package dev.pinion.bootstrap.diagram;

import java.nio.charset.StandardCharsets;

/**
 * JSON pointers as ids of elements: in the form of URI fragments (RFC 6901 section 6), which have
 * no spaces.
 */
final class PointerFragment {
  private static final String PLAIN = "-._~!$&'()*+,;=:@/?#";
  private static final String HEX = "0123456789ABCDEF";

  private PointerFragment() {}

  static String of(String pointer) {
    StringBuilder id = new StringBuilder(pointer.length());
    for (byte b : pointer.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b > 0 && (Character.isLetterOrDigit(b) || PLAIN.indexOf(b) >= 0);
      if (plain) {
        id.append((char) b);
      } else {
        id.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
      }
    }
    return id.toString();
  }
}
