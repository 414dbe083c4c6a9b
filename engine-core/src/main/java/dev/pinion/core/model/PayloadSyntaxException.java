package dev.pinion.core.model;

/**
 * Bytes that are not one JSON value, or one beyond the limits. The message says what was expected,
 * what was found and where.
 */
public class PayloadSyntaxException extends Exception {
  private static final long serialVersionUID = 1;

  /** A refusal with its reason. */
  public PayloadSyntaxException(String message) {
    super(message, null, false, false);
  }
}
