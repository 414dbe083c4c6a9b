package dev.pinion.handlers.remote;

/** Bytes are no frame. */
class BadFrameException extends Exception {
  BadFrameException(String message) {
    super(message);
  }

  BadFrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
