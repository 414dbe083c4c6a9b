package dev.pinion.handlers.api;

/** Points on its way at which a message meets a chain, in their order. */
public enum Point {
  /** A request has arrived; nothing has happened yet. */
  REQUEST_IN,
  /** A service is about to be called. */
  BEFORE_CALL,
  /** A service has answered. */
  AFTER_CALL,
  /** The answer to the request of {@link #REQUEST_IN} is about to be sent. */
  RESPONSE_OUT
}
