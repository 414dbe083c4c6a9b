package dev.pinion.handlers.run;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limit.window.PercentileSampleWindowFactory;
import java.util.concurrent.TimeUnit;

/**
 * A window that follows what is measured, as TCP Vegas does: it grows while messages take no longer
 * than they did alone, and shrinks when they do or fail. The algorithm is that of
 * concurrency-limits; its settings here are those that held up in a simulation of an hour of
 * overload (medians of at least 50 samples, in windows of 100 ms to 1 s, short ones not left out).
 */
final class AdaptiveWindow implements Window {
  private static final int SAMPLES = 50;
  private static final double MEDIAN = 0.5;

  private final int least;
  private final WindowedLimit limit;

  private AdaptiveWindow(int least, Limit algorithm) {
    this.least = least;
    limit =
        WindowedLimit.newBuilder()
            .minWindowTime(100, TimeUnit.MILLISECONDS)
            .maxWindowTime(1, TimeUnit.SECONDS)
            .windowSize(SAMPLES)
            .minRttThreshold(0, TimeUnit.NANOSECONDS)
            .sampleWindowFactory(PercentileSampleWindowFactory.of(MEDIAN, SAMPLES))
            .build(algorithm);
  }

  /**
   * A window for messages that only compute. It begins at the CPUs and never shrinks below them,
   * because fewer messages never made computing faster: Vegas alone shrinks to twelve messages on
   * 32 CPUs, when what messages take differs much.
   *
   * @param cpus CPUs that compute
   * @param most what it never exceeds, if that is at least the CPUs
   */
  static AdaptiveWindow ofComputing(int cpus, int most) {
    int least = Math.min(cpus, most);
    return new AdaptiveWindow(least, new GuardedVegas(least, most));
  }

  /**
   * A window for messages that wait for services as well.
   *
   * @param initial where it begins; few, so that it is seen what a message takes alone
   * @param most what it never exceeds
   */
  static AdaptiveWindow ofWaiting(int initial, int most) {
    return new AdaptiveWindow(
        1,
        VegasLimit.newBuilder().initialLimit(Math.min(initial, most)).maxConcurrency(most).build());
  }

  @Override
  public int limit() {
    return Math.max(least, limit.getLimit());
  }

  @Override
  public void sample(long startedNanos, long nanos, int inFlight, boolean dropped) {
    limit.onSample(startedNanos, Math.max(1, nanos), inFlight, dropped);
  }
}
