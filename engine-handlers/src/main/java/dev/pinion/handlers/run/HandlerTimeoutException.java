package dev.pinion.handlers.run;

import java.time.Duration;

/** A handler was given up because its time was over. */
final class HandlerTimeoutException extends Exception {
  HandlerTimeoutException(Duration timeout) {
    super("expected an end within " + timeout + ", found none");
  }
}
