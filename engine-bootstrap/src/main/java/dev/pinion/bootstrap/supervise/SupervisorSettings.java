package dev.pinion.bootstrap.supervise;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * How patient a supervisor is, and how many replicas it keeps.
 *
 * @param startTimeout time a replica may take until it serves, beside its recovery
 * @param recoveryTime measures the time that a recovery may take now, by what there is to be
 *     replayed; asked at each start, must not block, and never fails. Until it is known, no start
 *     is late: who cannot look at the disk cannot replay from it either
 * @param silenceTimeout time a serving replica may be silent before it is killed
 * @param shutdownTimeout time a replica may take to finish what is under way
 * @param restartWindow time in which five deaths of a replica are a crash loop, and after which a
 *     death counts as the first
 * @param scaling how many replicas run
 */
public record SupervisorSettings(
    Duration startTimeout,
    Supplier<CompletableFuture<Duration>> recoveryTime,
    Duration silenceTimeout,
    Duration shutdownTimeout,
    Duration restartWindow,
    ScalingSettings scaling) {
  /** Time given beyond {@link #shutdownTimeout} before a replica is killed. */
  static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(3);

  /** Five seconds of silence, and a minute to start beside the recovery. */
  public static SupervisorSettings of(
      Supplier<CompletableFuture<Duration>> recoveryTime,
      Duration shutdownTimeout,
      Duration restartWindow,
      ScalingSettings scaling) {
    return new SupervisorSettings(
        Duration.ofSeconds(60),
        recoveryTime,
        Duration.ofSeconds(5),
        shutdownTimeout,
        restartWindow,
        scaling);
  }
}
