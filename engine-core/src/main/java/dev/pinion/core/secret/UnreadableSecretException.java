package dev.pinion.core.secret;

/** A secret that exists and cannot be used. Its message has the reason, and never the value. */
public final class UnreadableSecretException extends Exception {
  private static final long serialVersionUID = 1;

  public UnreadableSecretException(String message) {
    super(message);
  }
}
