package dev.pinion.bootstrap.supervise;

import java.time.Duration;

/**
 * Between which bounds and when replicas are added and removed.
 *
 * @param min replicas that run at least
 * @param max replicas that run at most
 * @param addDelayMicros queueing delay in microseconds, on the average of replicas, from which they
 *     are too few
 * @param addAfter how long they must be too few before one is added
 * @param removeDelayMicros queueing delay in microseconds, of every replica, up to which they are
 *     too many; less than {@code addDelayMicros}
 * @param removeAfter how long they must be too many, breaks taken off, before one is removed
 * @param rest time after a change in which none follows
 */
public record ScalingSettings(
    int min,
    int max,
    long addDelayMicros,
    Duration addAfter,
    long removeDelayMicros,
    Duration removeAfter,
    Duration rest) {
  /** Work that waits this long for an event loop, in microseconds, waits too long. */
  public static final long ADD_DELAY_MICROS = 20_000;

  /** Time before a replica is added. */
  public static final Duration ADD_AFTER = Duration.ofSeconds(5);

  /** Work that waits at most this long, in microseconds, does not notice one replica less. */
  public static final long REMOVE_DELAY_MICROS = 2_000;

  /** Time before a replica is removed; longer than a lull between two bursts. */
  public static final Duration REMOVE_AFTER = Duration.ofSeconds(60);

  /** Time in which a change shows what it does. */
  public static final Duration REST = Duration.ofSeconds(15);

  /** Checks the relations between bounds. */
  public ScalingSettings {
    if (min < 1 || max < min) {
      throw new IllegalArgumentException(
          "expected 1 <= least replicas <= most replicas, found " + min + ".." + max);
    }
    if (removeDelayMicros >= addDelayMicros) {
      throw new IllegalArgumentException(
          "expected a delay for removing below the one for adding, found "
              + removeDelayMicros
              + " and "
              + addDelayMicros
              + " microseconds");
    }
  }

  /** The usual thresholds. */
  public static ScalingSettings between(int min, int max) {
    return new ScalingSettings(
        min, max, ADD_DELAY_MICROS, ADD_AFTER, REMOVE_DELAY_MICROS, REMOVE_AFTER, REST);
  }
}
