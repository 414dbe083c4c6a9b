package dev.pinion.core.http.message;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Media types of this interface, and content negotiation (RFC 9110 sections 8.3 and 12.5.1). */
public final class MediaTypes {
  public static final String ANY = "*/*";
  public static final String JSON = "application/json";
  public static final String YAML = "application/yaml";
  public static final String MERGE_PATCH = "application/merge-patch+json";
  public static final String CLOUD_EVENT = "application/cloudevents+json";
  public static final String CLOUD_EVENTS = "application/cloudevents-batch+json";
  public static final String SCHEMA = "application/schema+json";
  public static final String SVG = "image/svg+xml";
  public static final String MERMAID = "text/vnd.mermaid";
  public static final String TEXT = "text/plain";
  public static final String DIFFERENCE = "text/x-diff";
  public static final String PROBLEM = "application/problem+json";

  /** The parameter of text, whose charset would not be known otherwise. */
  public static final String UTF_8 = ";charset=utf-8";

  private MediaTypes() {}

  /**
   * The offered type a client prefers, the first of equals.
   *
   * @param accept all values of the Accept field, or null when there is none
   * @return null when none of them is acceptable
   */
  public static @Nullable String choose(@Nullable String accept, List<String> offered) {
    if (accept == null || accept.isBlank() || accept.equals("*/*")) {
      return offered.getFirst();
    }
    String best = null;
    int bestQuality = 0;
    for (String type : offered) {
      int quality = quality(accept, type);
      if (quality > bestQuality) {
        bestQuality = quality;
        best = type;
      }
    }
    return best;
  }

  /** The quality, in thousandths, of a type by the most specific matching range. */
  private static int quality(String accept, String type) {
    String family = type.substring(0, type.indexOf('/') + 1) + "*";
    int specificity = 0;
    int quality = 0;
    for (String element : accept.split(",", -1)) {
      String[] parts = element.split(";", -1);
      String range = parts[0].strip().toLowerCase(Locale.ROOT);
      int rank = range.equals(type) ? 3 : range.equals(family) ? 2 : range.equals("*/*") ? 1 : 0;
      if (rank > specificity) {
        specificity = rank;
        quality = weight(parts);
      }
    }
    return quality;
  }

  private static int weight(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
      if (parameter.startsWith("q=")) {
        String value = parameter.substring(2);
        return value.matches("0(\\.\\d{0,3})?|1(\\.0{0,3})?")
            ? (int) Math.round(Double.parseDouble(value) * 1000)
            : 0;
      }
    }
    return 1000;
  }

  /** Whether content of a type is JSON (RFC 8259, RFC 6839). */
  static boolean isJson(String contentType) {
    String essence = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return essence.equals(JSON) || essence.endsWith("+json");
  }

  /**
   * The type without parameters in lower case, or null when a parameter asks for another charset
   * than UTF-8.
   */
  public static @Nullable String essence(String contentType) {
    int semicolon = contentType.indexOf(';');
    String essence = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    if (semicolon >= 0) {
      for (String parameter : contentType.substring(semicolon + 1).split(";", -1)) {
        String text = parameter.strip().toLowerCase(Locale.ROOT).replace("\"", "");
        if (text.startsWith("charset=") && !text.equals("charset=utf-8")) {
          return null;
        }
      }
    }
    return essence.strip().toLowerCase(Locale.ROOT);
  }
}
