package dev.pinion.handlers.run;

/** A handler answered with something that it may not answer with. */
final class BadVerdictException extends Exception {
  BadVerdictException(String message) {
    super(message);
  }
}
