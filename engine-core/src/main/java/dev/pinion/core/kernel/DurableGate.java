package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Queue of effects that wait until the records that led to them are on disk.
 *
 * <p>In order: an effect waits behind earlier ones. So it never holds more than calls with a permit
 * and replies to requests and to waiters, which all have bounds already.
 */
final class DurableGate {
  /** Count for an effect that need not wait. */
  static final long AT_ONCE = 0;

  private final Journal journal;
  private final Deque<Held> held = new ArrayDeque<>();

  private record Held(long due, Runnable effect) {}

  DurableGate(Journal journal) {
    this.journal = journal;
  }

  /** Runs an effect as soon as so many records are durable. */
  void pass(long due, Runnable effect) {
    if (due == AT_ONCE || (held.isEmpty() && journal.durable() >= due)) {
      effect.run();
    } else {
      held.add(new Held(due, effect));
    }
  }

  /** Runs every effect that need not wait any more; returns how many. */
  int release() {
    if (held.isEmpty()) {
      return 0;
    }
    long durable = journal.durable();
    int released = 0;
    for (Held next = held.peek(); next != null && next.due <= durable; next = held.peek()) {
      held.remove();
      next.effect.run();
      released++;
    }
    return released;
  }

  /** Whether {@link #release} has something to do. */
  boolean canRelease() {
    Held next = held.peek();
    return next != null && next.due <= journal.durable();
  }
}
