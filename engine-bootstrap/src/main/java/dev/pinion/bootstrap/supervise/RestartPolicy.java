package dev.pinion.bootstrap.supervise;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * When to start a dead replica again, and when to leave it alone.
 *
 * <p>The first restart is immediate. Further ones wait a second, then twice as long each time up to
 * half a minute, until the replica has lived for a window of time. Five deaths within a window are
 * a crash loop. Times are nanoseconds of one monotonic clock.
 */
final class RestartPolicy {
  static final int MAX_DEATHS = 5;
  static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  static final Duration MAX_DELAY = Duration.ofSeconds(30);

  /** How long a replica in a crash loop is left alone. */
  static final Duration RETRY = Duration.ofSeconds(60);

  private final long windowNs;
  private final Deque<Long> deaths = new ArrayDeque<>();
  private int inARow;

  /**
   * A policy for a replica that has not died yet.
   *
   * @param window time that a replica must live for a death to count as its first
   */
  RestartPolicy(Duration window) {
    this.windowNs = window.toNanos();
  }

  /**
   * Takes note of a death.
   *
   * @param startedNs when the replica was started
   * @param nowNs when it died
   * @return the delay before the next start in nanoseconds, or nothing when it is a crash loop
   */
  OptionalLong onDeath(long startedNs, long nowNs) {
    if (nowNs - startedNs >= windowNs) {
      inARow = 0;
    }
    inARow++;
    deaths.addLast(nowNs);
    while (nowNs - deaths.getFirst() > windowNs) {
      deaths.removeFirst();
    }
    return deaths.size() >= MAX_DEATHS ? OptionalLong.empty() : OptionalLong.of(delayNs());
  }

  private long delayNs() {
    if (inARow == 1) {
      return 0;
    }
    int doublings = Math.min(inARow - 2, 10);
    return Math.min(FIRST_DELAY.toNanos() << doublings, MAX_DELAY.toNanos());
  }
}
