package dev.pinion.core.model;

import java.time.Instant;

/**
 * Where time comes from. Event loops read it once per duty cycle and pass it down; nothing below
 * them asks the system.
 */
public interface Clock {
  /** Nanoseconds on a monotonic scale of arbitrary origin. */
  long nanoTime();

  /** Milliseconds since the epoch by the wall clock. */
  long epochMillis();

  /** The clocks of the system. */
  static Clock system() {
    return new Clock() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public long epochMillis() {
        return Instant.now().toEpochMilli();
      }
    };
  }
}
