package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Bytes in JSON: {@code {"base64": "aGk="}} (RFC 4648, section 4; the padding may be missing). */
final class Base64Bytes {
  static final String MEMBER = "base64";

  private Base64Bytes() {}

  /** The text of a value in this form, or null when it has another form. */
  static @Nullable String text(@Nullable JsonNode value) {
    return value != null && value.isObject() && value.size() == 1
        ? value.path(MEMBER).textValue()
        : null;
  }

  /**
   * The bytes of a text in base 64.
   *
   * @throws InvalidBodyException when it is none
   */
  static byte[] decode(String text) throws InvalidBodyException {
    try {
      return Base64.getDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      throw new InvalidBodyException(
          "expected base 64 as \"" + MEMBER + "\", found " + found(text));
    }
  }

  private static String found(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isIn =
          (c >= 'A' && c <= 'Z')
              || (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || c == '+'
              || c == '/'
              || (c == '=' && i >= text.length() - 2);
      if (!isIn) {
        return String.format(Locale.ROOT, "U+%04X at index %d", (int) c, i);
      }
    }
    return "a part of four characters or less at its end that is none";
  }
}
