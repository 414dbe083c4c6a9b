package dev.pinion.bootstrap.protocol;

import java.util.Locale;

/**
 * JSON strings (RFC 8259, section 7). The parent process writes a few lines of JSON and reads none;
 * this saves it a JSON library.
 */
public final class JsonString {
  private JsonString() {}

  /** A text as a JSON string, quotes included, in one line and ASCII only. */
  public static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c >= ' ' && c < 0x7f) {
        out.append(c);
      } else {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return out.append('"').toString();
  }
}
