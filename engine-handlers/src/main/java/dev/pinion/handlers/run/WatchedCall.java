package dev.pinion.handlers.run;

import java.time.Duration;

/** A call that has a time-out. For use by any thread. */
interface WatchedCall {
  /** Name of what is called, for people. */
  String name();

  /** The longest time that it may take. */
  Duration timeout();

  /** Whether it is replied to later, so that no thread waits for it. */
  boolean isAsync();

  boolean hasEnded();

  boolean isOverdue(long nowNanos);

  /** Ends the call because of its time-out; returns false when it has ended. */
  boolean timeOut(long nowNanos);

  /** Continues after a call that timed out and still holds its thread. */
  void abandon();

  /** Continues after a call that timed out and holds no thread. */
  void resume();
}
