package dev.pinion.core.model;

/**
 * Grace period after the process stood still (the machine was suspended, its group frozen): input
 * that came meanwhile is handled before deadlines that passed meanwhile are enforced. The owner of
 * the deadlines asks at each check:
 *
 * <pre>
 *   look ── process stands still ── deadline ──── late ───▶ look ── as long as it was late ─▶ judged
 * </pre>
 *
 * <p>The grace period is as long as the check was late, and a second at most. No grace period
 * follows another one before deadlines were enforced: even if every check is late, deadlines take
 * effect. Not thread-safe; times are those of one monotonic clock, in nanoseconds.
 */
public final class PauseGrace {
  /**
   * Delay of a check beyond which the process stood still; below it, a thread had to wait its turn.
   */
  public static final long LATE_NANOS = 100_000_000;

  /** Longest grace period. */
  public static final long MOST_NANOS = 1_000_000_000;

  private static final long NONE = Long.MAX_VALUE;

  private long endNanos = NONE;

  /**
   * Begins a grace period when a check comes late, unless one has begun.
   *
   * @param dueNanos when the check was due, and not before the last check
   * @return whether one begins now
   */
  public boolean begin(long dueNanos, long nowNanos) {
    if (endNanos != NONE || dueNanos >= nowNanos - LATE_NANOS) {
      return false;
    }
    endNanos = nowNanos + Math.min(nowNanos - dueNanos, MOST_NANOS);
    return true;
  }

  /** End of the present grace period. */
  public long endNanos() {
    return endNanos;
  }

  /** Whether a grace period lasts: this check must not enforce deadlines. */
  public boolean isUnderWay(long nowNanos) {
    if (nowNanos >= endNanos) {
      endNanos = NONE;
    }
    return endNanos != NONE;
  }
}
