package dev.pinion.handlers.run;

import java.time.Duration;

/** A handler exceeded its time-out. */
final class HandlerTimeoutException extends Exception {
  HandlerTimeoutException(Duration timeout) {
    super("expected an end within " + timeout + ", found none");
  }
}
