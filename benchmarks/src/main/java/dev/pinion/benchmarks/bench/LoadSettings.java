package dev.pinion.benchmarks.bench;

import java.time.Duration;

/**
 * How each variant is loaded.
 *
 * @param clients clients that wait for their answer before they ask again
 * @param warmUp time at few clients before the first round: many clients on a busy core would
 *     starve its JIT compiler
 * @param duration time that is measured in each round
 * @param threads event loops of the load generator
 * @param thinkTime mean time that a client waits between an answer and its next request; zero for
 *     none
 */
public record LoadSettings(
    int clients, Duration warmUp, Duration duration, int threads, Duration thinkTime) {
  /** Clients while warming up. */
  static final int WARM_UP_CLIENTS = 2;

  /** Time at full load before each measurement. */
  public static final Duration RAMP = Duration.ofSeconds(1);

  /** The same with clients that think between an answer and their next request. */
  public LoadSettings thinking(Duration mean) {
    return new LoadSettings(clients, warmUp, duration, threads, mean);
  }
}
