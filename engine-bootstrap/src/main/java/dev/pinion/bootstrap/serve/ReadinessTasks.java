package dev.pinion.bootstrap.serve;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Work that the parent does on separate threads for serving replicas, and awaits before it informs
 * clients: where event loops share CPUs with it, first requests would wait for it instead. Used by
 * one thread.
 */
final class ReadinessTasks {
  /** Most delay for clients after replicas serve. */
  static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final Duration longest;
  private final LongSupplier monotonicNanos;
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Creates one without work.
   *
   * @param longest longest time of all calls of {@link #await} together
   * @param monotonicNanos a monotonic clock
   */
  ReadinessTasks(Duration longest, LongSupplier monotonicNanos) {
    this.longest = longest;
    this.monotonicNanos = monotonicNanos;
  }

  /** Adds work of a thread that has been started. */
  void add(Thread thread) {
    threads.removeIf(each -> !each.isAlive());
    threads.add(thread);
  }

  /**
   * Waits until all work has finished, or for the longest time. An interrupt ends the wait and
   * stays set.
   */
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
