package dev.pinion.core.openapi;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A media type, or a range of some (RFC 9110, section 12.5.1).
 *
 * @param text as it is written
 * @param essence type and subtype in lower case
 */
public record MediaRange(String text, String essence) {
  static final String JSON = "application/json";
  static final String FORM = "application/x-www-form-urlencoded";
  static final String MULTIPART_FORM = "multipart/form-data";

  private static final Pattern ESSENCE = Pattern.compile("[a-z0-9!#$&^_.+*-]+/[a-z0-9!#$&^_.+*-]+");
  private static final Pattern TEXT = Pattern.compile("[ -~]+");

  /** The range that a text names. */
  public static MediaRange of(String text) {
    int semicolon = text.indexOf(';');
    String essence = semicolon < 0 ? text : text.substring(0, semicolon);
    return new MediaRange(text.strip(), essence.strip().toLowerCase(Locale.ROOT));
  }

  /** Whether it has a type and a subtype, and may stand in a header field. */
  public boolean isValid() {
    return ESSENCE.matcher(essence).matches() && TEXT.matcher(text).matches();
  }

  /** Whether it is JSON, by RFC 6839, section 3.1. */
  public boolean isJson() {
    return essence.equals(JSON) || essence.endsWith("+json") || essence.equals("text/json");
  }

  /** Whether it is a URL-encoded form. */
  public boolean isForm() {
    return essence.equals(FORM);
  }

  /** Whether it is a form in parts. */
  public boolean isMultipartForm() {
    return essence.equals(MULTIPART_FORM);
  }

  /** Whether it stands for several media types. */
  public boolean isRange() {
    return essence.endsWith("/*");
  }

  /** Whether a media type is one of these. */
  public boolean contains(MediaRange other) {
    return essence.equals("*/*")
        || essence.equals(other.essence)
        || (isRange() && other.essence.startsWith(essence.substring(0, essence.length() - 1)));
  }

  /** The media type for JSON or text of this range; the range itself where it has neither. */
  public MediaRange usual() {
    return switch (essence) {
      case "*/*", "application/*" -> of(JSON);
      case "text/*" -> of("text/plain");
      default -> this;
    };
  }
}
