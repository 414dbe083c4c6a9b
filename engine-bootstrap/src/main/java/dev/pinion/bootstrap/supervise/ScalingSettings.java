package dev.pinion.bootstrap.supervise;

import java.time.Duration;

/**
 * Bounds and conditions for adding and removing replicas.
 *
 * @param min fewest running replicas
 * @param max most running replicas
 * @param addDelayMicros mean queueing delay of replicas in microseconds from which there are too
 *     few
 * @param addAfter time for which there must be too few before one is added
 * @param removeDelayMicros queueing delay in microseconds, of every replica, up to which there are
 *     too many; less than {@code addDelayMicros}
 * @param removeAfter time for which there must be too many, less interruptions, before one is
 *     removed
 * @param rest pause after a change
 */
public record ScalingSettings(
    int min,
    int max,
    long addDelayMicros,
    Duration addAfter,
    long removeDelayMicros,
    Duration removeAfter,
    Duration rest) {
  /** Delay from which work waits too long for an event loop, in microseconds. */
  public static final long ADD_DELAY_MICROS = 20_000;

  /** Time before a replica is added. */
  public static final Duration ADD_AFTER = Duration.ofSeconds(5);

  /** Delay up to which one replica less makes no difference, in microseconds. */
  public static final long REMOVE_DELAY_MICROS = 2_000;

  /** Time before a replica is removed; longer than the pause between two bursts. */
  public static final Duration REMOVE_AFTER = Duration.ofSeconds(60);

  /** Time until a change shows its effect. */
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

  /** The default thresholds. */
  public static ScalingSettings between(int min, int max) {
    return new ScalingSettings(
        min, max, ADD_DELAY_MICROS, ADD_AFTER, REMOVE_DELAY_MICROS, REMOVE_AFTER, REST);
  }
}
