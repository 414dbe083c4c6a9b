package dev.pinion.core.model.call;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a text with escapes of JSON, percent-encodings and character references of HTML, each as
 * what it stands for; anything else stays as it is.
 */
final class EscapedText {
  /** What may follow a backslash, and what each stands for. */
  private static final String ESCAPES = "\"'\\/bfnrt";

  private static final String ESCAPED = "\"'\\/\b\f\n\r\t";
  private static final int UNIT_DIGITS = 4;
  private static final int HEXADECIMAL = 16;
  private static final int DECIMAL = 10;

  /** Most characters of a character reference. */
  private static final int MAX_REFERENCE = 10;

  private static final Map<String, String> REFERENCES =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");

  private final String text;
  private final StringBuilder plain = new StringBuilder();
  private int at;

  private EscapedText(String text) {
    this.text = text;
  }

  /** The text without escapes. */
  static String plain(String text) {
    boolean isPlain = text.indexOf('\\') < 0 && text.indexOf('%') < 0 && text.indexOf('&') < 0;
    return isPlain ? text : new EscapedText(text).read();
  }

  private String read() {
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean replaced =
          switch (c) {
            case '\\' -> escape();
            case '%' -> octets();
            case '&' -> reference();
            default -> false;
          };
      if (!replaced) {
        plain.append(c);
        at++;
      }
    }
    return plain.toString();
  }

  /** An escape of JSON (RFC 8259, section 7). */
  private boolean escape() {
    if (at + 1 >= text.length()) {
      return false;
    }
    char c = text.charAt(at + 1);
    if (c == 'u') {
      int unit = number(at + 2, at + 2 + UNIT_DIGITS, HEXADECIMAL);
      if (unit >= 0) {
        plain.append((char) unit);
        at += 2 + UNIT_DIGITS;
      }
      return unit >= 0;
    }
    int known = ESCAPES.indexOf(c);
    if (known >= 0) {
      plain.append(ESCAPED.charAt(known));
      at += 2;
    }
    return known >= 0;
  }

  /** Percent-encoded bytes (RFC 3986, section 2.1), all that follow each other, as UTF-8. */
  private boolean octets() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int next = at;
    while (next < text.length() && text.charAt(next) == '%') {
      int octet = number(next + 1, next + 3, HEXADECIMAL);
      if (octet < 0) {
        break;
      }
      bytes.write(octet);
      next += 3;
    }
    if (next == at) {
      return false;
    }
    plain.append(bytes.toString(StandardCharsets.UTF_8));
    at = next;
    return true;
  }

  /** A character reference (HTML, "Character references"). */
  private boolean reference() {
    int end = text.indexOf(';', at, Math.min(text.length(), at + MAX_REFERENCE));
    if (end < 0) {
      return false;
    }
    String known = REFERENCES.get(text.substring(at + 1, end));
    String character = known == null ? numbered(end) : known;
    if (character == null) {
      return false;
    }
    plain.append(character);
    at = end + 1;
    return true;
  }

  private @Nullable String numbered(int end) {
    if (text.charAt(at + 1) != '#') {
      return null;
    }
    boolean hexadecimal = text.charAt(at + 2) == 'x' || text.charAt(at + 2) == 'X';
    int code = hexadecimal ? number(at + 3, end, HEXADECIMAL) : number(at + 2, end, DECIMAL);
    return Character.isValidCodePoint(code) ? Character.toString(code) : null;
  }

  /** The number of some digits; negative where there are none, or something else. */
  private int number(int from, int to, int radix) {
    if (from >= to || to > text.length()) {
      return -1;
    }
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(text.charAt(i), radix);
      if (digit < 0) {
        return -1;
      }
      number = number * radix + digit;
    }
    return number;
  }
}
