package dev.pinion.bootstrap.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What the parent arranges on threads of its own for replicas that serve, and waits for before
 * clients are told: where event loops share CPUs with it, first requests would wait for it instead.
 * Used by one thread.
 */
final class Arrangements {
  /** The most that clients are told later than replicas serve. */
  static final Duration LONGEST = Duration.ofSeconds(1);

  private final Duration longest;
  private final LongSupplier monotonicNanos;
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Nothing arranged yet.
   *
   * @param longest the longest that {@link #await} takes, for all of them together
   * @param monotonicNanos the time
   */
  Arrangements(Duration longest, LongSupplier monotonicNanos) {
    this.longest = longest;
    this.monotonicNanos = monotonicNanos;
  }

  /** Something that a thread does, which has been started. */
  void add(Thread thread) {
    threads.removeIf(each -> !each.isAlive());
    threads.add(thread);
  }

  /** Waits until all is done, or for the longest time. An interrupt ends it and stays set. */
  void await() {
    long end = monotonicNanos.getAsLong() + longest.toNanos();
    try {
      for (Thread each : threads) {
        each.join(Duration.ofNanos(Math.max(1, end - monotonicNanos.getAsLong())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
