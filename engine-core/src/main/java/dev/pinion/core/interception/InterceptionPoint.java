package dev.pinion.core.interception;

import java.util.Locale;

/** Point in the path of a message. */
public enum InterceptionPoint {
  /** A request has arrived; its body has not been read. */
  REQUEST_IN,
  /** A service is about to be called. */
  BEFORE_CALL,
  /** A service has answered. */
  AFTER_CALL,
  /** The response to the request of {@link #REQUEST_IN} is about to leave. */
  RESPONSE_OUT;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Name in definitions and in documents of chains. */
  public String label() {
    return label;
  }
}
