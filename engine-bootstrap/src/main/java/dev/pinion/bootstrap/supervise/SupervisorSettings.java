package dev.pinion.bootstrap.supervise;

import java.time.Duration;

/**
 * How patient a supervisor is, and how many replicas it keeps.
 *
 * @param startTimeout time a replica may take until it serves
 * @param silenceTimeout time a serving replica may be silent before it is killed
 * @param shutdownTimeout time a replica may take to finish what is under way
 * @param restartWindow time in which five deaths of a replica are a crash loop, and after which a
 *     death counts as the first
 * @param scaling how many replicas run
 */
public record SupervisorSettings(
    Duration startTimeout,
    Duration silenceTimeout,
    Duration shutdownTimeout,
    Duration restartWindow,
    ScalingSettings scaling) {
  /** Time given beyond {@link #shutdownTimeout} before a replica is killed. */
  static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(3);

  /** Five seconds of silence, and a minute to start. */
  public static SupervisorSettings of(
      Duration shutdownTimeout, Duration restartWindow, ScalingSettings scaling) {
    return new SupervisorSettings(
        Duration.ofSeconds(60), Duration.ofSeconds(5), shutdownTimeout, restartWindow, scaling);
  }
}
