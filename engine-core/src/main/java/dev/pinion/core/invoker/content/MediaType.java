package dev.pinion.core.invoker.content;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The media type of a body (RFC 9110, section 8.3).
 *
 * @param text as the field Content-Type has it
 * @param essence type and subtype, in lower case
 */
public record MediaType(String text, String essence) {
  public static final String JSON = "application/json";

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String MULTIPART_FORM = "multipart/form-data";

  /** Types of JSON values one after the other, which are no JSON value. */
  private static final Set<String> JSON_LINES =
      Set.of(
          "application/json-seq",
          "application/jsonl",
          "application/jsonlines",
          "application/ndjson",
          "application/x-jsonl",
          "application/x-jsonlines",
          "application/x-ndjson");

  private static final Pattern ESSENCE =
      Pattern.compile("[\\w!#$%&'*+.^`|~-]+/[\\w!#$%&'*+.^`|~-]+");

  /**
   * A parameter: name, value between quotes, value without them. Possessive where it repeats, since
   * a service may send a long value, and a match that can go back takes stack for each character.
   */
  private static final Pattern PARAMETER =
      Pattern.compile(";\\s*([^\\s;=]+)\\s*=\\s*(?:\"((?:[^\"\\\\]++|\\\\.)*+)\"|([^;\"]*))");

  /** The media type that a field names. */
  public static MediaType of(String contentType) {
    int semicolon = contentType.indexOf(';');
    String essence = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    return new MediaType(contentType, essence.strip().toLowerCase(Locale.ROOT));
  }

  /** Whether a field names JSON, by RFC 6839, section 3.1. */
  public static boolean isJson(@Nullable String contentType) {
    return JSON.equals(contentType) || (contentType != null && of(contentType).isJson());
  }

  /** Whether it has a type and a subtype. */
  boolean isValid() {
    return ESSENCE.matcher(essence).matches();
  }

  boolean isJson() {
    return essence.equals(JSON) || essence.endsWith("+json");
  }

  /** Whether it is XML, by RFC 7303. */
  public boolean isXml() {
    return essence.equals("application/xml")
        || essence.equals("text/xml")
        || essence.endsWith("+xml");
  }

  boolean isForm() {
    return essence.equals(FORM);
  }

  boolean isMultipart() {
    return essence.startsWith("multipart/");
  }

  boolean isMultipartForm() {
    return essence.equals(MULTIPART_FORM);
  }

  boolean isPlainText() {
    return essence.startsWith("text/");
  }

  /** Whether it is {@code text/*}, or lines of JSON. */
  public boolean isText() {
    return isPlainText() || JSON_LINES.contains(essence);
  }

  /** Value of a parameter, or null when there is none. */
  @Nullable String parameter(String name) {
    Matcher each = PARAMETER.matcher(text);
    while (each.find()) {
      if (each.group(1).equalsIgnoreCase(name)) {
        return each.group(2) == null
            ? each.group(3).strip()
            : each.group(2).replaceAll("\\\\(.)", "$1");
      }
    }
    return null;
  }
}
