package dev.pinion.handlers.remote.transport;

import java.time.Duration;

/**
 * Bounds of the messages that NATS servers store for hosts.
 *
 * @param maxMebibytes most mebibytes stored; beyond it messages are refused, none is dropped
 * @param replicas servers of a cluster that store each message: 1, 3 or 5
 * @param silence time without a report on a message after which its host does not have it any more
 * @param maxDeliveries the most deliveries of a message; then it is dropped, and counted
 */
public record StoreLimits(int maxMebibytes, int replicas, Duration silence, int maxDeliveries) {
  /** Defaults. */
  public static final StoreLimits DEFAULTS = new StoreLimits(1_024, 1, Duration.ofSeconds(30), 10);

  /** Checks each value. */
  public StoreLimits {
    within("storedMaxMebibytes", maxMebibytes, 1, 1 << 20);
    within("storedReplicas", replicas, 1, 5);
    within("storedSilenceMillis", silence.toMillis(), 100, 3_600_000);
    within("storedMaxDeliveries", maxDeliveries, 1, 1_000);
  }

  private static void within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "expected handlers.remote."
              + name
              + " from "
              + least
              + " to "
              + most
              + ", found "
              + value);
    }
  }
}
