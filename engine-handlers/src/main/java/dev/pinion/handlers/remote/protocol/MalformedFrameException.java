package dev.pinion.handlers.remote.protocol;

/** Bytes that are not a frame. */
public class MalformedFrameException extends Exception {
  public MalformedFrameException(String message) {
    super(message);
  }

  MalformedFrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
