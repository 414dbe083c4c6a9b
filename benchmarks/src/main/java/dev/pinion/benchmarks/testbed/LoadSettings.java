package dev.pinion.benchmarks.testbed;

import dev.pinion.workloads.load.Arrivals;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The load of each variant.
 *
 * @param clients clients that wait for their response before the next request; with arrivals the
 *     most requests under way
 * @param warmUp time at few clients before the first round: many clients on a busy core would
 *     starve its JIT compiler
 * @param settling most time at full load after that; it ends when throughput rises no more, as
 *     frequent code is compiled then
 * @param ramp time at full load before each measurement
 * @param duration measured time of each round
 * @param threads event loops of the load generator
 * @param thinkTime mean time that a client waits between a response and its next request; zero for
 *     none
 * @param arrivals arrival process of the open model; null for the closed model
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

  /** Time at full load before each measurement, except in quick runs. */
  public static final Duration RAMP = Duration.ofSeconds(1);

  /** Most time at full load before the first round, except in quick runs. */
  public static final Duration SETTLING = Duration.ofSeconds(20);

  /** These settings with clients that think between a response and their next request. */
  public LoadSettings thinking(Duration mean) {
    return new LoadSettings(clients, warmUp, settling, ramp, duration, threads, mean, arrivals);
  }

  /** These settings in the open model, with this number of requests under way at most. */
  public LoadSettings arriving(Arrivals process, int atOnce) {
    return new LoadSettings(
        atOnce, warmUp, settling, ramp, duration, threads, Duration.ZERO, process);
  }

  /** These settings, without a warm-up if others have warmed the engine up. */
  public LoadSettings warmIf(boolean warm) {
    return warm ? warm() : this;
  }

  /** These settings without a warm-up. */
  public LoadSettings warm() {
    return new LoadSettings(
        clients, Duration.ZERO, Duration.ZERO, ramp, duration, threads, thinkTime, arrivals);
  }
}
