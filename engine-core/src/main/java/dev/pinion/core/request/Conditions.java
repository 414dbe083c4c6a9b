package dev.pinion.core.request;

import java.util.List;

/** Conditional requests (RFC 9110 section 13.1.2). */
final class Conditions {
  private Conditions() {}

  /**
   * Whether If-None-Match names a representation, by weak comparison.
   *
   * @param fields values of all If-None-Match fields
   * @param etag entity tag of the representation, with quotes
   */
  static boolean matches(List<String> fields, String etag) {
    for (String field : fields) {
      for (String element : field.split(",", -1)) {
        String tag = element.strip();
        if (tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag)) {
          return true;
        }
      }
    }
    return false;
  }
}
