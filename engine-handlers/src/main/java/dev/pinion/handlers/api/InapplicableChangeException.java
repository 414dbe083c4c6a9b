package dev.pinion.handlers.api;

/** A change does not fit the message: there is no place in its body for what is to be set. */
public final class InapplicableChangeException extends Exception {
  InapplicableChangeException(String message) {
    super(message);
  }
}
