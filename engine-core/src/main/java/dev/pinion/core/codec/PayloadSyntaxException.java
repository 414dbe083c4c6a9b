package dev.pinion.core.codec;

/**
 * Bytes that are not one value in the expected form, as a rule JSON, or exceed a limit. The message
 * says what was expected, what was found and where.
 */
public class PayloadSyntaxException extends Exception {
  private static final long serialVersionUID = 1;

  /** An error with its reason. */
  public PayloadSyntaxException(String message) {
    super(message, null, false, false);
  }
}
