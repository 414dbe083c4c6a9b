package dev.pinion.bootstrap.process;

import java.time.Duration;

/**
 * Tells by its words whether a process is alive. A process that is stopped, frozen or stuck says
 * nothing; so does one whose listener stood still, which is not held against it. Guarded by its
 * owner; times are those of one monotonic clock, in nanoseconds.
 */
final class Heartbeat {
  /** Time between two looks. */
  static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

  /** A look that comes this much late says that the listener itself stood still. */
  private static final long STOOD_STILL_NANOS = 2 * LOOK_INTERVAL.toNanos();

  private final long firstWordNanos;
  private final long silenceNanos;
  private long deadline;
  private long looked;
  private boolean running;

  /**
   * The heartbeat of no process yet.
   *
   * @param firstWord time from its start to its first word
   * @param silence the longest time between two words
   */
  Heartbeat(Duration firstWord, Duration silence) {
    firstWordNanos = firstWord.toNanos();
    silenceNanos = silence.toNanos();
  }

  /** A process was started. */
  void started(long now) {
    running = true;
    looked = now;
    deadline = now + firstWordNanos;
  }

  /** The process said something. */
  void heard(long now) {
    deadline = now + silenceNanos;
  }

  /** The process has ended. */
  void ended() {
    running = false;
  }

  /** Whether the process has said nothing for too long. To be asked once per interval. */
  boolean isOverdue(long now) {
    long late = now - looked - LOOK_INTERVAL.toNanos();
    looked = now;
    if (late > STOOD_STILL_NANOS) {
      deadline += late;
    }
    return running && now - deadline > 0;
  }
}
