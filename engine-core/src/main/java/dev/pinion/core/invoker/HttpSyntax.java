package dev.pinion.core.invoker;

import java.util.Locale;

/** Syntax of fields (RFC 9110, sections 5.5 and 5.6.2). */
public final class HttpSyntax {
  private static final String TOKEN_PUNCTUATION = "!#$%&'*+-.^_`|~";

  private HttpSyntax() {}

  /** Whether a character is an ASCII letter or digit. */
  public static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /** Whether a text is a token, like methods and field names. */
  public static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isAlphanumeric(c) && TOKEN_PUNCTUATION.indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Index of the first character that a field value cannot hold, or -1. */
  public static int badFieldCharacter(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) {
        return i;
      }
    }
    return -1;
  }

  /** A character for messages, such as {@code U+000A}. */
  public static String codePoint(char c) {
    return String.format(Locale.ROOT, "U+%04X", (int) c);
  }
}
