package dev.pinion.core.invoker;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Syntax of fields and media types (RFC 9110, sections 5.5, 5.6.2 and 8.3). */
public final class HttpSyntax {
  public static final String JSON = "application/json";

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

  /** Whether a media type is JSON by RFC 6839, section 3.1. */
  static boolean isJson(@Nullable String contentType) {
    if (JSON.equals(contentType)) {
      return true;
    }
    if (contentType == null) {
      return false;
    }
    String essence = essence(contentType);
    return essence.equalsIgnoreCase(JSON)
        || essence.regionMatches(true, essence.length() - 5, "+json", 0, 5);
  }

  /** Whether a media type is {@code text/*}. */
  static boolean isText(@Nullable String contentType) {
    return contentType != null && contentType.stripLeading().regionMatches(true, 0, "text/", 0, 5);
  }

  /** A media type without its parameters. */
  static String essence(String contentType) {
    int semicolon = contentType.indexOf(';');
    return (semicolon < 0 ? contentType : contentType.substring(0, semicolon)).strip();
  }

  /** A character for messages, such as {@code U+000A}. */
  public static String codePoint(char c) {
    return String.format(Locale.ROOT, "U+%04X", (int) c);
  }
}
