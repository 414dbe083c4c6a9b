package dev.pinion.bootstrap.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A warning of an event that may happen thousands of times a second: all are counted, and logged at
 * most once every {@link #INTERVAL}. One thread warns; any thread may read the count.
 */
final class RateLimitedWarning {
  /** Time between two lines of the log. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  private final LongSupplier nanoClock;
  private final Consumer<String> log;
  private final LongAdder count = new LongAdder();
  private long untold;
  private boolean told;
  private long toldNs;

  /**
   * A warning of an event that has not happened yet.
   *
   * @param nanoClock monotonic, in nanoseconds
   * @param log receives the lines
   */
  RateLimitedWarning(LongSupplier nanoClock, Consumer<String> log) {
    this.nanoClock = nanoClock;
    this.log = log;
  }

  /**
   * Counts an event.
   *
   * @param what the event, a sentence for people
   */
  void happened(String what) {
    count.increment();
    untold++;
    long nowNs = nanoClock.getAsLong();
    if (!told || nowNs - toldNs >= INTERVAL.toNanos()) {
      log.accept(untold == 1 ? what : what + " (" + untold + " times since this was last logged)");
      told = true;
      toldNs = nowNs;
      untold = 0;
    }
  }

  /** Number of events. */
  long count() {
    return count.sum();
  }
}
