package dev.pinion.core.invoker.content;

/** A body that cannot be sent with its media type; the message is for the definition's author. */
final class InvalidBodyException extends Exception {
  private static final long serialVersionUID = 1;

  InvalidBodyException(String message) {
    super(message, null, false, false);
  }

  String problem() {
    return String.valueOf(getMessage());
  }
}
