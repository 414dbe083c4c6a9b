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
 * a crash loop, and the replica is tried again after a minute. Where no other replica serves, that
 * begins with 8 seconds and doubles up to a minute, for ever: what a restart by hand would try is
 * tried. Times are nanoseconds of one monotonic clock.
 */
final class RestartPolicy {
  static final int MAX_DEATHS = 5;
  static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  static final Duration MAX_DELAY = Duration.ofSeconds(30);

  /** How long a replica in a crash loop is left alone while others serve, and the longest. */
  static final Duration RETRY = Duration.ofSeconds(60);

  /** How long it is left alone at first where no other serves. */
  static final Duration FIRST_RETRY = Duration.ofSeconds(8);

  private final long windowNs;
  private final Deque<Long> deaths = new ArrayDeque<>();
  private int inARow;
  private int retries;

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
      retries = 0;
    }
    inARow++;
    deaths.addLast(nowNs);
    while (nowNs - deaths.getFirst() > windowNs) {
      deaths.removeFirst();
    }
    return deaths.size() >= MAX_DEATHS ? OptionalLong.empty() : OptionalLong.of(delayNs());
  }

  /** How long a replica that nobody stands in for is left alone, each time longer. */
  long lonelyRetryNs() {
    long delay = FIRST_RETRY.toNanos() << Math.min(retries, 10);
    retries++;
    return Math.min(delay, RETRY.toNanos());
  }

  private long delayNs() {
    if (inARow == 1) {
      return 0;
    }
    int doublings = Math.min(inARow - 2, 10);
    return Math.min(FIRST_DELAY.toNanos() << doublings, MAX_DELAY.toNanos());
  }
}
