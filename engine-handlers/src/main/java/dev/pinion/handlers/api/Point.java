package dev.pinion.handlers.api;

/** Where on its way a message meets a chain. The order of the constants is the order of the way. */
public enum Point {
  /** A request has arrived; nothing has happened yet. */
  REQUEST_IN,
  /** A service is about to be called. */
  BEFORE_CALL,
  /** A service has answered. */
  AFTER_CALL,
  /** The answer to the request of {@link #REQUEST_IN} is about to leave. */
  RESPONSE_OUT
}
