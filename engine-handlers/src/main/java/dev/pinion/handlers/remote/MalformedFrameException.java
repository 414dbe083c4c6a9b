package dev.pinion.handlers.remote;

/** Bytes that are not a frame. */
class MalformedFrameException extends Exception {
  MalformedFrameException(String message) {
    super(message);
  }

  MalformedFrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
