package dev.pinion.core.model;

/**
 * Bytes that are not one JSON value, or one beyond the limits. The message says what was expected,
 * what was found and where.
 */
public final class PayloadSyntaxException extends Exception {
  /** A refusal with its reason. */
  public PayloadSyntaxException(String message) {
    super(message, null, false, false);
  }
}
