package dev.pinion.core.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Timers of one kernel: a hierarchical timing wheel (Varghese and Lauck, 1987, scheme 7).
 *
 * <pre>
 *   level 0: 64 slots of 1 tick     level 1: 64 slots of 64 ticks     …     level 7: 64 slots of 64^7 ticks
 * </pre>
 *
 * <p>Starting and cancelling a timer take constant time whatever its delay, a timer is moved down a
 * level at most seven times, and an occupied-slot bitmap per level tells when the wheel has to be
 * turned next, so a million sleeping timers cost nothing until one is due. A tick is 2^20 ns, a
 * little more than a millisecond: a timer fires at most one tick late and never early.
 *
 * <p>Single-threaded.
 */
final class TimerWheel {
  /** Nothing scheduled. */
  static final long NONE = Long.MAX_VALUE;

  private static final int TICK_SHIFT = 20;
  private static final int LEVEL_SHIFT = 6;
  private static final int SLOTS = 1 << LEVEL_SHIFT;
  private static final int LEVELS = 8;

  private final @Nullable Timer[][] slots = new @Nullable Timer[LEVELS][SLOTS];
  private final long[] occupied = new long[LEVELS];
  private final long originNanos;
  private long currentTick;
  private int size;

  /** A timer of an activity. Lives in at most one slot at a time. */
  static final class Timer {
    final Activity activity;
    final int kind;
    final int attempt;
    long deadlineNanos;
    long deadlineTick;
    int level = -1;
    int slot;
    @Nullable Timer previous;
    @Nullable Timer next;

    Timer(Activity activity, int kind, int attempt) {
      this.activity = activity;
      this.kind = kind;
      this.attempt = attempt;
    }
  }

  /**
   * An empty wheel.
   *
   * @param nowNanos monotonic time at which the wheel stands
   */
  TimerWheel(long nowNanos) {
    this.originNanos = nowNanos;
  }

  /** Timers that have neither fired nor been cancelled. */
  int size() {
    return size;
  }

  /** Starts a timer that is to fire at a monotonic time; in the past it fires at the next turn. */
  void start(Timer timer, long deadlineNanos) {
    long ticks = (deadlineNanos - originNanos + (1L << TICK_SHIFT) - 1) >> TICK_SHIFT;
    timer.deadlineNanos = deadlineNanos;
    timer.deadlineTick = Math.max(ticks, currentTick);
    link(timer);
    size++;
  }

  /** Takes a timer out; one that is not in the wheel is left alone. */
  void cancel(Timer timer) {
    if (timer.level >= 0) {
      unlink(timer);
      size--;
    }
  }

  /**
   * Removes one timer that is due, the earliest slot first.
   *
   * @return the timer, or null when none is due
   */
  @Nullable Timer pollDue(long nowNanos) {
    long nowTick = (nowNanos - originNanos) >> TICK_SHIFT;
    while (size > 0) {
      Timer due = slots[0][index(currentTick, 0)];
      if (due != null) {
        unlink(due);
        size--;
        return due;
      }
      long next = nextTick();
      if (next > nowTick) {
        break;
      }
      advanceTo(next);
    }
    if (size == 0 && nowTick > currentTick) {
      currentTick = nowTick;
    }
    return null;
  }

  /**
   * Monotonic time at which the wheel must be turned again, or {@link #NONE}. Never later than the
   * next timer.
   */
  long nextDeadlineNanos() {
    return size == 0 ? NONE : originNanos + (nextTick() << TICK_SHIFT);
  }

  /** The first tick, from the current one on, at which an occupied slot begins. */
  private long nextTick() {
    long earliest = Long.MAX_VALUE;
    for (int level = 0; level < LEVELS; level++) {
      if (occupied[level] != 0) {
        earliest = Math.min(earliest, firstOccupied(level));
      }
    }
    return Math.max(earliest, currentTick);
  }

  private long firstOccupied(int level) {
    int shift = level * LEVEL_SHIFT;
    long position = currentTick >> shift;
    int ahead =
        Long.numberOfTrailingZeros(
            Long.rotateRight(occupied[level], (int) (position & (SLOTS - 1))));
    return (position + ahead) << shift;
  }

  /**
   * Moves the wheel on and brings timers of coarser levels, whose slot begins now, down to where
   * they belong.
   */
  private void advanceTo(long tick) {
    currentTick = tick;
    for (int level = LEVELS - 1; level > 0; level--) {
      boolean slotBegins = (tick & ((1L << (level * LEVEL_SHIFT)) - 1)) == 0;
      if (slotBegins) {
        cascade(level, index(tick, level));
      }
    }
  }

  private void cascade(int level, int slot) {
    Timer timer = slots[level][slot];
    while (timer != null) {
      Timer next = timer.next;
      unlink(timer);
      link(timer);
      timer = next;
    }
  }

  private void link(Timer timer) {
    int level = levelOf(timer.deadlineTick);
    int slot = index(timer.deadlineTick, level);
    Timer head = slots[level][slot];
    timer.level = level;
    timer.slot = slot;
    timer.previous = null;
    timer.next = head;
    if (head != null) {
      head.previous = timer;
    }
    slots[level][slot] = timer;
    occupied[level] |= 1L << slot;
  }

  private void unlink(Timer timer) {
    if (timer.previous != null) {
      timer.previous.next = timer.next;
    } else {
      slots[timer.level][timer.slot] = timer.next;
      if (timer.next == null) {
        occupied[timer.level] &= ~(1L << timer.slot);
      }
    }
    if (timer.next != null) {
      timer.next.previous = timer.previous;
    }
    timer.previous = null;
    timer.next = null;
    timer.level = -1;
  }

  /** The finest level on which a tick lies less than a whole turn ahead. */
  private int levelOf(long tick) {
    for (int level = 0; level < LEVELS - 1; level++) {
      int shift = level * LEVEL_SHIFT;
      if ((tick >> shift) - (currentTick >> shift) < SLOTS) {
        return level;
      }
    }
    return LEVELS - 1;
  }

  private static int index(long tick, int level) {
    return (int) ((tick >> (level * LEVEL_SHIFT)) & (SLOTS - 1));
  }
}
