package dev.pinion.bootstrap.history;

import dev.pinion.core.model.PauseGrace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The time up to which the history holds everything that happened in one journal. It never says
 * more than what was taken up: a look at the journal counts once all records that were on disk at
 * that look are in the history. A look after a pause of the machine does not count, as events may
 * be on their way to the disk that were applied before it. One thread.
 */
final class AsOf {
  /** Time that an event may take from the kernel to the disk. */
  static final long TO_DISK_MILLIS = 1_000;

  /** A look that comes so much later than the last one comes late. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Looks whose records are not all taken up; further ones are not remembered. */
  private static final int MAX_LOOKS = 64;

  private final Deque<Look> looks = new ArrayDeque<>();
  private final PauseGrace grace = new PauseGrace();
  private long lookedNanos;
  private long millis;

  AsOf(long nowNanos) {
    lookedNanos = nowNanos;
  }

  /** A look at the journal. */
  private record Look(long millis, long durable) {}

  /**
   * Remembers a look at the journal.
   *
   * @param nowNanos monotonic time before the look
   * @param nowMillis wall-clock time then
   * @param durable the last record that was on disk then
   */
  void looked(long nowNanos, long nowMillis, long durable) {
    boolean _ = grace.begin(lookedNanos + LOOK_NANOS, nowNanos);
    lookedNanos = nowNanos;
    if (!grace.isUnderWay(nowNanos) && looks.size() < MAX_LOOKS) {
      looks.add(new Look(nowMillis - TO_DISK_MILLIS, durable));
    }
  }

  /**
   * The time up to which everything is held, in wall-clock milliseconds; 0 when that is not known.
   *
   * @param position the last record that is taken up with all that follows from it
   */
  long at(long position) {
    for (Look next = looks.peek(); next != null && next.durable <= position; next = looks.peek()) {
      millis = next.millis;
      looks.remove();
    }
    return millis;
  }

  /** The journal is read anew. */
  void clear() {
    looks.clear();
  }
}
