package dev.pinion.handlers.api;

/** A change does not fit the message: its body has no place for the value. */
public final class InapplicableChangeException extends Exception {
  InapplicableChangeException(String message) {
    super(message);
  }
}
