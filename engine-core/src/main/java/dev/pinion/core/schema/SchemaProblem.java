package dev.pinion.core.schema;

import com.networknt.schema.SchemaException;

/**
 * The reason why a JSON document is not a usable schema.
 *
 * @param pointer JSON pointer into the schema; empty for the whole
 * @param message the expectation and the value found
 */
public record SchemaProblem(String pointer, String message) {
  /** What a validator says. */
  static String reason(SchemaException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage());
  }
}
