package dev.pinion.handlers.run;

/** A handler returned a verdict that it may not return. */
final class InvalidVerdictException extends Exception {
  InvalidVerdictException(String message) {
    super(message);
  }
}
