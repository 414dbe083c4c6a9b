package dev.pinion.handlers.run;

/** A handler returned a verdict that it may not return. */
final class BadVerdictException extends Exception {
  BadVerdictException(String message) {
    super(message);
  }
}
