package dev.pinion.handlers.run;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limit.window.AverageSampleWindowFactory;
import com.netflix.concurrency.limits.limit.window.PercentileSampleWindowFactory;
import com.netflix.concurrency.limits.limit.window.SampleWindowFactory;
import java.util.concurrent.TimeUnit;

/**
 * A window that adapts to measurements, like TCP Vegas: it grows while messages take no longer than
 * they did alone, and shrinks when they take longer or fail. The algorithm is that of
 * concurrency-limits; its settings held up in a simulation of an hour of overload (at least 50
 * samples, in windows of 100 ms to 1 s, including short ones).
 *
 * <p>A window counts by its mean for messages that only compute, and by its median for those that
 * wait. Systems run threads in time slices, in which one thread processes many short messages while
 * others are suspended in the middle of theirs: medians do not show these, the mean does, because
 * it is the number of messages under way divided by the rate at which they leave (Little's law). It
 * is noisier; the floor of such a window makes that harmless. Windows of waiting messages have no
 * floor.
 */
final class AdaptiveWindow implements ConcurrencyWindow {
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
   * 32 CPUs, when the times of messages vary much.
   *
   * @param cpus CPUs that compute
   * @param most upper bound, if that is at least the CPUs
   */
  static AdaptiveWindow ofComputing(int cpus, int most) {
    int least = Math.min(cpus, most);
    return new AdaptiveWindow(
        least, new GuardedVegasLimit(least, most), AverageSampleWindowFactory.create());
  }

  /**
   * A window for messages that wait for services as well.
   *
   * @param initial initial size; small, so that the time of a single message is measured
   * @param most upper bound
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
