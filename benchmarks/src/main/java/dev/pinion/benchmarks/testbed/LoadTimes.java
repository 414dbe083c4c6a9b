package dev.pinion.benchmarks.testbed;

import java.time.Duration;

/**
 * Times of a load.
 *
 * @param warmUp time at few clients before the first round: many clients on a busy core would
 *     starve its JIT compiler
 * @param settling most time at full load after that; it ends when throughput rises no more, as
 *     frequent code is compiled then
 * @param ramp time at full load before each measurement
 * @param duration measured time of each round
 */
public record LoadTimes(Duration warmUp, Duration settling, Duration ramp, Duration duration) {
  /** Time at full load before each measurement, except in quick runs. */
  public static final Duration RAMP = Duration.ofSeconds(1);

  /** Most time at full load before the first round, except in quick runs. */
  public static final Duration SETTLING = Duration.ofSeconds(20);

  /** The same without a warm-up. */
  LoadTimes warm() {
    return new LoadTimes(Duration.ZERO, Duration.ZERO, ramp, duration);
  }
}
