package dev.pinion.bootstrap.history;

import dev.pinion.core.model.PauseGrace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The time up to which the history contains all events of one journal. It never overstates: a
 * reading of the journal counts once all records that were on disk at that time are in the history.
 * A reading after a pause of the machine does not count, as events that were applied before it may
 * still be on their way to the disk. Used by one thread.
 */
final class HistoryWatermark {
  /** Longest time of an event from the kernel to the disk. */
  static final long TO_DISK_MILLIS = 1_000;

  /** A reading this much later than the previous one is late. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Most readings whose records are not all in the history; further ones are not remembered. */
  private static final int MAX_LOOKS = 64;

  private final Deque<EndPosition> looks = new ArrayDeque<>();
  private final PauseGrace grace = new PauseGrace();
  private long lookedNanos;
  private long millis;

  HistoryWatermark(long nowNanos) {
    lookedNanos = nowNanos;
  }

  /** A reading of the journal. */
  private record EndPosition(long millis, long durable) {}

  /**
   * Records a reading of the journal.
   *
   * @param nowNanos monotonic time before the reading
   * @param nowMillis wall-clock time then
   * @param durable last record on disk then
   */
  void observed(long nowNanos, long nowMillis, long durable) {
    boolean _ = grace.begin(lookedNanos + LOOK_NANOS, nowNanos);
    lookedNanos = nowNanos;
    if (!grace.isUnderWay(nowNanos) && looks.size() < MAX_LOOKS) {
      looks.add(new EndPosition(nowMillis - TO_DISK_MILLIS, durable));
    }
  }

  /**
   * The time up to which the history is complete, in wall-clock milliseconds; 0 when unknown.
   *
   * @param position last record that is in the history with all its effects
   */
  long millisAt(long position) {
    for (EndPosition next = looks.peek();
        next != null && next.durable <= position;
        next = looks.peek()) {
      millis = next.millis;
      looks.remove();
    }
    return millis;
  }

  /** Forgets the readings: the journal is read again. */
  void clear() {
    looks.clear();
  }
}
