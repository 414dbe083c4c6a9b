package dev.pinion.bootstrap.supervise;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Time limits of a supervisor, and its number of replicas.
 *
 * @param startTimeout longest time until a replica serves, besides its recovery
 * @param recoveryTime measures the time allowance of a recovery, by the size of its journals;
 *     called at each start, must not block, and never fails. Until it is known, no start is late: a
 *     process that cannot read the disk cannot replay from it either
 * @param silenceTimeout longest silence of a serving replica before it is killed
 * @param shutdownTimeout longest time of a replica to finish its work under way
 * @param restartWindow time in which five deaths of a replica are a crash loop, and after which a
 *     death counts as the first
 * @param scaling number of running replicas
 */
public record SupervisorSettings(
    Duration startTimeout,
    Supplier<CompletableFuture<Duration>> recoveryTime,
    Duration silenceTimeout,
    Duration shutdownTimeout,
    Duration restartWindow,
    ScalingSettings scaling) {
  /** Grace beyond {@link #shutdownTimeout} before a replica is killed. */
  static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(3);

  /** Longest time until a replica serves, besides its warm-up and its recovery. */
  private static final Duration START = Duration.ofSeconds(60);

  /**
   * Five seconds of silence, and a minute to start besides warm-up and recovery.
   *
   * @param warmUp longest warm-up of a replica, which it begins before it recovers
   */
  public static SupervisorSettings of(
      Duration warmUp,
      Supplier<CompletableFuture<Duration>> recoveryTime,
      Duration shutdownTimeout,
      Duration restartWindow,
      ScalingSettings scaling) {
    return new SupervisorSettings(
        START.plus(warmUp),
        recoveryTime,
        Duration.ofSeconds(5),
        shutdownTimeout,
        restartWindow,
        scaling);
  }
}
