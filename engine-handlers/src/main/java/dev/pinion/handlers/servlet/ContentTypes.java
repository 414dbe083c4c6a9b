package dev.pinion.handlers.servlet;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values of {@code Content-Type}. */
final class ContentTypes {
  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset=\"?([^\";\\s]+)\"?", Pattern.CASE_INSENSITIVE);

  private ContentTypes() {}

  /** The name of the character set, or null when there is none. */
  static @Nullable String charset(String type) {
    Matcher matcher = CHARSET.matcher(type);
    return matcher.find() ? matcher.group(1) : null;
  }

  /** A type with another character set. */
  static String with(String type, String charset) {
    return CHARSET.matcher(type).replaceAll("") + ";charset=" + charset;
  }
}
