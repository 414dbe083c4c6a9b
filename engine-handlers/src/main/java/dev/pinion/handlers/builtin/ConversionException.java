package dev.pinion.handlers.builtin;

/** Why a body cannot be converted; the message is for whoever sent it. */
final class ConversionException extends Exception {
  ConversionException(String message) {
    super(message, null, false, false);
  }
}
