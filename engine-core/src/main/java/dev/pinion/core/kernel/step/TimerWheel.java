package dev.pinion.core.kernel.step;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Timers of one kernel: a hierarchical timing wheel (Varghese and Lauck, 1987, scheme 7).
 *
 * <pre>
 *   level 0: 64 slots of 1 tick     level 1: 64 slots of 64 ticks     …     level 7: 64 slots of 64^7 ticks
 * </pre>
 *
 * <p>Starting and cancelling a timer take constant time whatever its delay, a timer is moved down a
 * level at most seven times, and a bitmap of occupied slots per level shows when the wheel has to
 * be turned next, so a million sleeping timers cost nothing until one is due. A tick is 2^20 ns, a
 * little more than a millisecond: a timer fires at most one tick late and never early.
 *
 * <p>Timers that are due wait in the order of their deadlines, however late they are: after a
 * downtime a timeout of 3 s comes before the end of a wait of 8 s. At the same deadline a timeout
 * comes before a delay, and then the timer that was started first.
 *
 * <p>Single-threaded.
 */
public final class TimerWheel {
  /** Deadline of an empty wheel. */
  static final long NONE = Long.MAX_VALUE;

  private static final int TICK_SHIFT = 20;
  private static final int LEVEL_SHIFT = 6;
  private static final int SLOTS = 1 << LEVEL_SHIFT;
  private static final int LEVELS = 8;

  private static final Comparator<Timer> BY_DEADLINE =
      (a, b) -> {
        int order = Long.signum(a.deadlineNanos - b.deadlineNanos);
        if (order == 0) {
          order = Boolean.compare(a.kind == Activity.DELAY, b.kind == Activity.DELAY);
        }
        return order == 0 ? Long.compare(a.number, b.number) : order;
      };

  private final @Nullable Timer[][] slots = new @Nullable Timer[LEVELS][SLOTS];
  private final long[] occupied = new long[LEVELS];
  private final TreeSet<Timer> due = new TreeSet<>(BY_DEADLINE);
  private final long originNanos;
  private long currentTick;
  private long started;
  private int size;

  /** A timer of an activity. Lives in at most one slot at a time, or in the queue of due timers. */
  public static final class Timer {
    public final Activity activity;
    public final int kind;
    public final int attempt;
    long deadlineNanos;
    public long deadlineTick;
    long number;
    boolean isDue;
    int level = -1;
    int slot;
    @Nullable Timer previous;
    @Nullable Timer next;

    public Timer(Activity activity, int kind, int attempt) {
      this.activity = activity;
      this.kind = kind;
      this.attempt = attempt;
    }

    /** Nanoseconds since its time. */
    public long latenessNanos(long nowNanos) {
      return nowNanos - deadlineNanos;
    }
  }

  /**
   * An empty wheel.
   *
   * @param nowNanos present monotonic time of the wheel
   */
  public TimerWheel(long nowNanos) {
    this.originNanos = nowNanos;
  }

  /** Timers that have neither fired nor been cancelled. */
  public int size() {
    return size;
  }

  /** Starts a timer for a monotonic time; in the past it fires at the next turn. */
  public void start(Timer timer, long deadlineNanos) {
    long ticks = (deadlineNanos - originNanos + (1L << TICK_SHIFT) - 1) >> TICK_SHIFT;
    timer.deadlineNanos = deadlineNanos;
    timer.deadlineTick = ticks;
    timer.number = ++started;
    if (ticks <= currentTick) {
      becomeDue(timer);
    } else {
      link(timer);
    }
    size++;
  }

  /** Cancels a timer; does nothing when it is not in the wheel. */
  public void cancel(Timer timer) {
    if (timer.isDue) {
      due.remove(timer);
      timer.isDue = false;
      size--;
    } else if (timer.level >= 0) {
      unlink(timer);
      size--;
    }
  }

  private void becomeDue(Timer timer) {
    timer.isDue = true;
    due.add(timer);
  }

  /**
   * Removes the timer that has been due for longest.
   *
   * @return the timer, or null when none is due
   */
  public @Nullable Timer pollDue(long nowNanos) {
    long nowTick = (nowNanos - originNanos) >> TICK_SHIFT;
    while (size > 0) {
      Timer first = due.pollFirst();
      if (first != null) {
        first.isDue = false;
        size--;
        return first;
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
  public long nextDeadlineNanos() {
    return size == 0 ? NONE : originNanos + (nextTick() << TICK_SHIFT);
  }

  /** The first tick, from the current one on, at which an occupied slot begins. */
  private long nextTick() {
    if (!due.isEmpty()) {
      return currentTick;
    }
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
   * Advances the wheel and moves timers of coarser levels, whose slot begins now, down to their
   * level; timers of the finest slot become due.
   */
  private void advanceTo(long tick) {
    currentTick = tick;
    for (int level = LEVELS - 1; level > 0; level--) {
      boolean slotBegins = (tick & ((1L << (level * LEVEL_SHIFT)) - 1)) == 0;
      if (slotBegins) {
        cascade(level, index(tick, level));
      }
    }
    int slot = index(tick, 0);
    for (Timer timer = slots[0][slot]; timer != null; timer = slots[0][slot]) {
      unlink(timer);
      becomeDue(timer);
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
