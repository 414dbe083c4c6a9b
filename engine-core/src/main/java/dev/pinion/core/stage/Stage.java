package dev.pinion.core.stage;

/**
 * A part of the pipeline that owns its state and is driven from outside, one duty cycle at a time.
 *
 * <p>All methods are called by the thread of one event loop, or by a test. A stage never blocks,
 * never reads a clock and never waits for room in a lane.
 */
public interface Stage {
  /** Nothing scheduled; see {@link #nextDeadlineNanos}. */
  long NO_DEADLINE = Long.MAX_VALUE;

  /** Name for threads, counters and errors, such as {@code kernel-0}. */
  String role();

  /**
   * Does the work at hand, within bounds, and returns.
   *
   * @param nowNanos monotonic time of this duty cycle
   * @param epochMillis wall-clock time of this duty cycle
   * @return the amount of work done; 0 when there was nothing to do
   */
  int doWork(long nowNanos, long epochMillis);

  /** Whether {@link #doWork} has something to do now. Called before the loop goes to sleep. */
  boolean hasWork();

  /**
   * Monotonic time at which the stage next has something to do by itself, or {@link #NO_DEADLINE}.
   */
  default long nextDeadlineNanos() {
    return NO_DEADLINE;
  }

  /**
   * Defers deadlines after the process stood still: they are not enforced before a given time, so
   * that input that came meanwhile is handled first. Called before {@link #doWork}.
   *
   * @param untilNanos monotonic time, a second ahead at most
   */
  default void onPause(long untilNanos) {}

  /** Called once after the last duty cycle. */
  default void onClose() {}
}
