package dev.pinion.core.kernel;

/**
 * A journal that cannot be replayed. The message says what was expected, what was found and what to
 * do.
 */
public final class RecoveryException extends Exception {
  private static final long serialVersionUID = 1;

  /** A refusal with its reason. */
  public RecoveryException(String message) {
    super(message);
  }
}
