package dev.pinion.bootstrap.supervise;

import java.time.Duration;

/**
 * Detects by its messages whether a process is alive. A process that is stopped, frozen or stuck
 * sends nothing; messages also seem missing while the listener itself stands still, which does not
 * count. Guarded by its owner; times are those of one monotonic clock, in nanoseconds.
 */
final class Watchdog {
  /** Time between two checks. */
  static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

  /** A check this much late means that the listener itself stood still. */
  private static final long STOOD_STILL_NANOS = 2 * CHECK_INTERVAL.toNanos();

  private final long firstWordNanos;
  private final long silenceNanos;
  private long deadline;
  private long looked;
  private boolean running;

  /**
   * The heartbeat of no process yet.
   *
   * @param firstWord longest time from the start to the first message
   * @param silence longest time between two messages
   */
  Watchdog(Duration firstWord, Duration silence) {
    firstWordNanos = firstWord.toNanos();
    silenceNanos = silence.toNanos();
  }

  /** Called when a process was started. */
  void start(long now) {
    running = true;
    looked = now;
    deadline = now + firstWordNanos;
  }

  /** Called when the process has sent a message. */
  void reset(long now) {
    deadline = now + silenceNanos;
  }

  /** Called when the process has ended. */
  void stop() {
    running = false;
  }

  /** Whether the process has sent nothing for too long. To be called once per interval. */
  boolean isExpired(long now) {
    long late = now - looked - CHECK_INTERVAL.toNanos();
    looked = now;
    if (late > STOOD_STILL_NANOS) {
      deadline += late;
    }
    return running && now - deadline > 0;
  }
}
