package dev.pinion.handlers.remote;

/** Bytes that are not a frame. */
class BadFrameException extends Exception {
  BadFrameException(String message) {
    super(message);
  }

  BadFrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
