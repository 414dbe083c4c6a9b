package dev.pinion.handlers.run;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limit.window.AverageSampleWindowFactory;
import com.netflix.concurrency.limits.limit.window.PercentileSampleWindowFactory;
import com.netflix.concurrency.limits.limit.window.SampleWindowFactory;
import java.util.concurrent.TimeUnit;

/**
 * A window that follows what is measured, as TCP Vegas does: it grows while messages take no longer
 * than they did alone, and shrinks when they do or fail. The algorithm is that of
 * concurrency-limits; its settings here are those that held up in a simulation of an hour of
 * overload (at least 50 samples, in windows of 100 ms to 1 s, short ones not left out).
 *
 * <p>What counts of a window is the mean for messages that only compute, and the median for those
 * that wait. Systems run threads in slices of time, in which one thread does many short messages
 * while others stand in the middle of theirs: medians do not show these, the mean does, because it
 * is the number of messages under way by the rate at which they leave (Little's law). It is
 * noisier; the floor of such a window keeps that from doing harm. Messages that wait have no floor.
 */
final class AdaptiveWindow implements Window {
  private static final int SAMPLES = 50;
  private static final double MEDIAN = 0.5;

  private final int least;
  private final WindowedLimit limit;

  private AdaptiveWindow(int least, Limit algorithm, SampleWindowFactory counts) {
    this.least = least;
    limit =
        WindowedLimit.newBuilder()
            .minWindowTime(100, TimeUnit.MILLISECONDS)
            .maxWindowTime(1, TimeUnit.SECONDS)
            .windowSize(SAMPLES)
            .minRttThreshold(0, TimeUnit.NANOSECONDS)
            .sampleWindowFactory(counts)
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
    return new AdaptiveWindow(
        least, new GuardedVegas(least, most), AverageSampleWindowFactory.create());
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
        VegasLimit.newBuilder().initialLimit(Math.min(initial, most)).maxConcurrency(most).build(),
        PercentileSampleWindowFactory.of(MEDIAN, SAMPLES));
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
