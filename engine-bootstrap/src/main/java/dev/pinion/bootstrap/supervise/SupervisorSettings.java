package dev.pinion.bootstrap.supervise;

import java.time.Duration;

/**
 * How patient a supervisor is.
 *
 * @param startTimeout time a replica may take until it serves
 * @param silenceTimeout time a serving replica may be silent before it is killed
 * @param shutdownTimeout time a replica may take to finish what is under way
 */
public record SupervisorSettings(
    Duration startTimeout, Duration silenceTimeout, Duration shutdownTimeout) {
  /** Time given beyond {@link #shutdownTimeout} before a replica is killed. */
  static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(3);

  /** Five seconds of silence, and a minute to start. */
  public static SupervisorSettings withShutdownTimeout(Duration shutdownTimeout) {
    return new SupervisorSettings(Duration.ofSeconds(60), Duration.ofSeconds(5), shutdownTimeout);
  }
}
