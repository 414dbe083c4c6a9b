package dev.pinion.core.model;

/**
 * Time for what came while the process stood still (the machine was suspended, its group frozen),
 * before deadlines that passed meanwhile are judged. Whoever judges deadlines asks at each look:
 *
 * <pre>
 *   look ── process stands still ── deadline ──── late ───▶ look ── as long as it was late ─▶ judged
 * </pre>
 *
 * <p>The grace is as long as the look was late, and a second at most. No grace follows upon another
 * one before deadlines were judged: looks may all be late, and deadlines pass still. Not
 * thread-safe; times are those of one monotonic clock, in nanoseconds.
 */
public final class PauseGrace {
  /**
   * A look that comes later than this comes after a pause; sooner, a thread had to wait its turn.
   */
  public static final long LATE_NANOS = 100_000_000;

  /** The longest grace. */
  public static final long MOST_NANOS = 1_000_000_000;

  private static final long NONE = Long.MAX_VALUE;

  private long endNanos = NONE;

  /**
   * Begins a grace when a look comes late, unless one is under way.
   *
   * @param dueNanos when the look was due, and not before the last look
   * @return whether one begins now
   */
  public boolean begin(long dueNanos, long nowNanos) {
    if (endNanos != NONE || dueNanos >= nowNanos - LATE_NANOS) {
      return false;
    }
    endNanos = nowNanos + Math.min(nowNanos - dueNanos, MOST_NANOS);
    return true;
  }

  /** When the grace ends that is under way. */
  public long endNanos() {
    return endNanos;
  }

  /** Whether a grace is under way: no deadline is judged at this look. */
  public boolean isUnderWay(long nowNanos) {
    if (nowNanos >= endNanos) {
      endNanos = NONE;
    }
    return endNanos != NONE;
  }
}
