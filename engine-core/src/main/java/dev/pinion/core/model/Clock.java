package dev.pinion.core.model;

import java.time.Instant;

/**
 * Source of time. Event loops read it once per duty cycle and pass it down; nothing below them
 * reads the system's clock.
 */
public interface Clock {
  /** Nanoseconds on a monotonic scale of arbitrary origin. */
  long nanoTime();

  /** Milliseconds since the epoch by the wall clock. */
  long epochMillis();

  /**
   * Name of the monotonic scale: times of {@link #nanoTime} on scales of one name can be compared
   * across processes.
   */
  String scale();

  /** The system's clocks; on Linux the monotonic one is the same for all of one boot. */
  static Clock system() {
    String scale = BootId.name();
    return new Clock() {
      @Override
      public String scale() {
        return scale;
      }

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
