package dev.pinion.handlers.builtin.convert;

/** The reason why a body cannot be converted; the message is for its sender. */
final class ConversionException extends Exception {
  ConversionException(String message) {
    super(message, null, false, false);
  }
}
