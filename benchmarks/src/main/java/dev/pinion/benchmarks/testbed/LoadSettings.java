package dev.pinion.benchmarks.testbed;

import dev.pinion.workloads.load.Arrivals;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The load of each variant.
 *
 * @param clients clients that wait for their response before the next request; with arrivals the
 *     most requests under way
 * @param threads event loops of the load generator
 * @param thinkTime mean time that a client waits between a response and its next request; zero for
 *     none
 * @param arrivals arrival process of the open model; null for the closed model
 */
public record LoadSettings(
    int clients, LoadTimes times, int threads, Duration thinkTime, @Nullable Arrivals arrivals) {
  /** Clients while warming up. */
  static final int WARM_UP_CLIENTS = 2;

  /** These settings with clients that think between a response and their next request. */
  public LoadSettings thinking(Duration mean) {
    return new LoadSettings(clients, times, threads, mean, arrivals);
  }

  /** These settings in the open model, with this number of requests under way at most. */
  public LoadSettings arriving(Arrivals process, int atOnce) {
    return new LoadSettings(atOnce, times, threads, Duration.ZERO, process);
  }

  /** These settings, without a warm-up if others have warmed the engine up. */
  public LoadSettings warmIf(boolean warm) {
    return warm ? warm() : this;
  }

  /** These settings without a warm-up. */
  public LoadSettings warm() {
    return new LoadSettings(clients, times.warm(), threads, thinkTime, arrivals);
  }
}
