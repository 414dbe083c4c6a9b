package dev.pinion.benchmarks.bench;

import dev.pinion.workloads.load.Arrivals;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How each variant is loaded.
 *
 * @param clients clients that wait for their answer before they ask again; with arrivals the most
 *     requests under way
 * @param warmUp time at few clients before the first round: many clients on a busy core would
 *     starve its JIT compiler
 * @param settling most time at full load after that, which ends when it gets no faster: what is
 *     called often enough is compiled then
 * @param ramp time at full load before each measurement
 * @param duration time that is measured in each round
 * @param threads event loops of the load generator
 * @param thinkTime mean time that a client waits between an answer and its next request; zero for
 *     none
 * @param arrivals requests that come at a rate of their own; null for the closed model
 */
public record LoadSettings(
    int clients,
    Duration warmUp,
    Duration settling,
    Duration ramp,
    Duration duration,
    int threads,
    Duration thinkTime,
    @Nullable Arrivals arrivals) {
  /** Clients while warming up. */
  static final int WARM_UP_CLIENTS = 2;

  /** Time at full load before each measurement, unless it is to be quick. */
  public static final Duration RAMP = Duration.ofSeconds(1);

  /** Most time at full load before the first round, unless it is to be quick. */
  public static final Duration SETTLING = Duration.ofSeconds(20);

  /** The same with clients that think between an answer and their next request. */
  public LoadSettings thinking(Duration mean) {
    return new LoadSettings(clients, warmUp, settling, ramp, duration, threads, mean, arrivals);
  }

  /** The same with requests that come at a rate of their own, so many under way at most. */
  public LoadSettings arriving(Arrivals process, int atOnce) {
    return new LoadSettings(
        atOnce, warmUp, settling, ramp, duration, threads, Duration.ZERO, process);
  }

  /** The same, warmed up already. */
  public LoadSettings warm() {
    return new LoadSettings(
        clients, Duration.ZERO, Duration.ZERO, ramp, duration, threads, thinkTime, arrivals);
  }
}
