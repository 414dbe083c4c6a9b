package dev.pinion.bootstrap.supervise;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Decides when a dead replica is restarted, and when it is left alone.
 *
 * <p>The first restart is immediate. Further ones wait a second, then twice as long each time up to
 * half a minute, until the replica has lived for a time window. Five deaths within a window are a
 * crash loop, and the replica is tried again after a minute. Where no other replica serves, that
 * delay begins with 8 seconds and doubles up to a minute, for ever: so the engine tries what a
 * manual restart would. Times are nanoseconds of one monotonic clock.
 */
final class RestartPolicy {
  static final int MAX_DEATHS = 5;
  static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  static final Duration MAX_DELAY = Duration.ofSeconds(30);

  /** Delay of a replica in a crash loop while others serve, and the longest delay. */
  static final Duration RETRY = Duration.ofSeconds(60);

  /** First delay of a replica in a crash loop where no other serves. */
  static final Duration FIRST_RETRY = Duration.ofSeconds(8);

  private final long windowNs;
  private final Deque<Long> deaths = new ArrayDeque<>();
  private int inARow;
  private int retries;

  /**
   * A policy for a replica that has not died yet.
   *
   * @param window lifetime after which a death counts as the first
   */
  RestartPolicy(Duration window) {
    this.windowNs = window.toNanos();
  }

  /**
   * Records a death.
   *
   * @param startedNs time of the replica's start
   * @param nowNs time of the death
   * @return the delay before the next start in nanoseconds, or empty for a crash loop
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

  /** Delay of a replica without a substitute, longer each time. */
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
