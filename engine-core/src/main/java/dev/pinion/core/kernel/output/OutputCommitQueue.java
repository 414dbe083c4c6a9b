package dev.pinion.core.kernel.output;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.step.Instance;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Queue of effects that wait until the records that led to them are on disk.
 *
 * <p>In order: an effect waits behind earlier ones. So it never holds more than calls with a permit
 * and replies to requests and to waiters, which all have bounds already.
 */
public final class OutputCommitQueue {
  private final Journal journal;
  private final Deque<DeferredEffect> held = new ArrayDeque<>();

  private record DeferredEffect(long due, Runnable effect) {}

  /** An empty queue. */
  public OutputCommitQueue(Journal journal) {
    this.journal = journal;
  }

  /** Runs an effect as soon as so many records are durable. */
  public void submit(long due, Runnable effect) {
    if (due == Instance.NO_RECORD || (held.isEmpty() && journal.durable() >= due)) {
      effect.run();
    } else {
      held.add(new DeferredEffect(due, effect));
    }
  }

  /** Runs every effect that need not wait any more; returns how many. */
  public int release() {
    if (held.isEmpty()) {
      return 0;
    }
    long durable = journal.durable();
    int released = 0;
    for (DeferredEffect next = held.peek();
        next != null && next.due <= durable;
        next = held.peek()) {
      held.remove();
      next.effect.run();
      released++;
    }
    return released;
  }

  /** Whether {@link #release} has something to do. */
  public boolean canRelease() {
    DeferredEffect next = held.peek();
    return next != null && next.due <= journal.durable();
  }
}
