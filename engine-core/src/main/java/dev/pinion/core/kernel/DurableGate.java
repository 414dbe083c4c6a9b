package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where effects wait until the journal has what led to them on disk.
 *
 * <p>In order: an effect waits behind earlier ones. So there are never more than calls with a
 * permit, replies to requests and to waiters, and none of them needs a bound of its own.
 */
final class DurableGate {
  /** The count to wait for when there is nothing to wait for. */
  static final long AT_ONCE = 0;

  private final Journal journal;
  private final Deque<Held> held = new ArrayDeque<>();

  private record Held(long due, Runnable effect) {}

  DurableGate(Journal journal) {
    this.journal = journal;
  }

  /** Lets an effect happen as soon as so many records are durable. */
  void pass(long due, Runnable effect) {
    if (due == AT_ONCE || (held.isEmpty() && journal.durable() >= due)) {
      effect.run();
    } else {
      held.add(new Held(due, effect));
    }
  }

  /** Lets every effect happen that need not wait any more; returns how many did. */
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

  /** Whether {@link #release} would find something to do. */
  boolean canRelease() {
    Held next = held.peek();
    return next != null && next.due <= journal.durable();
  }
}
