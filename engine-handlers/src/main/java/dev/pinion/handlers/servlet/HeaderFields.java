package dev.pinion.handlers.servlet;

import dev.pinion.handlers.api.View;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The header fields of a message by name in lower case, its content type left out.
 *
 * @param message the message
 */
record HeaderFields(View message) {
  /** Prefix of the properties of fields. */
  static final String HEADER = "header.";

  SortedMap<String, String> all() {
    SortedMap<String, String> fields = new TreeMap<>();
    message
        .properties(HEADER)
        .forEach((name, value) -> fields.put(name.substring(HEADER.length()), value));
    return fields;
  }

  static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
