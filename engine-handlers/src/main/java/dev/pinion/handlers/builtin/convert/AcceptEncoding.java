package dev.pinion.handlers.builtin.convert;

import dev.pinion.core.codec.ContentCoding;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Chooses a coding by an {@code Accept-Encoding} field (RFC 9110, section 12.5.3). */
final class AcceptEncoding {
  private static final int MAX_MEMBERS = 32;

  private AcceptEncoding() {}

  /**
   * The coding that the receiver prefers, the first of equals; null when it accepts none of them or
   * the field is empty. A malformed weight counts as 0.
   */
  static @Nullable ContentCoding best(String field, List<ContentCoding> offered) {
    ContentCoding best = null;
    double most = 0;
    for (ContentCoding each : offered) {
      double weight = weight(field, each);
      if (weight > most) {
        most = weight;
        best = each;
      }
    }
    return most < weightOf(field, "identity", 0) ? null : best;
  }

  private static double weight(String field, ContentCoding contentCoding) {
    double any = weightOf(field, "*", 0);
    double alias = contentCoding == ContentCoding.GZIP ? weightOf(field, "x-gzip", any) : any;
    return weightOf(field, contentCoding.token(), alias);
  }

  private static double weightOf(String field, String token, double otherwise) {
    for (String member : field.split(",", MAX_MEMBERS)) {
      String[] parts = member.split(";", 2);
      if (parts[0].strip().equalsIgnoreCase(token)) {
        return parts.length == 1 ? 1 : quality(parts[1]);
      }
    }
    return otherwise;
  }

  private static double quality(String parameter) {
    String text = parameter.strip().toLowerCase(Locale.ROOT);
    return text.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")
        ? Double.parseDouble(text.substring(2))
        : 0;
  }
}
