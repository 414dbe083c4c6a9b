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

  /**
   * Names the monotonic scale: times of {@link #nanoTime} on scales of one name can be compared,
   * whichever process read them.
   */
  String scale();

  /** The clocks of the system; on Linux the monotonic one is the same for all of one boot. */
  static Clock system() {
    String scale = Boot.name();
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
