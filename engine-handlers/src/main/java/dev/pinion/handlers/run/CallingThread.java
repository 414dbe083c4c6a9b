package dev.pinion.handlers.run;

import dev.pinion.core.model.Clock;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Runs handlers on the thread that brings the message: for tests, tools and chains of cheap
 * handlers. A handler that hangs keeps that thread: there is nobody to go on without it.
 */
public final class CallingThread implements Workers {
  /** What waits for the task that this thread runs now; of all chains, which is the same. */
  private static final ThreadLocal<Deque<Runnable>> WAITING = new ThreadLocal<>();

  private final Clock clock;

  /** Workers that are no threads of their own. */
  public CallingThread(Clock clock) {
    this.clock = clock;
  }

  @Override
  public int count() {
    return 1;
  }

  @Override
  public long handOverNanos() {
    return 0;
  }

  /** Runs a task before this returns; one that comes from within a task runs after that. */
  @Override
  public void execute(Runnable task) {
    Deque<Runnable> tasks = WAITING.get();
    if (tasks != null) {
      tasks.add(task);
      return;
    }
    tasks = new ArrayDeque<>();
    WAITING.set(tasks);
    try {
      for (Runnable each = task; each != null; each = tasks.poll()) {
        each.run();
      }
    } finally {
      WAITING.remove();
    }
  }

  @Override
  public long nanoTime() {
    return clock.nanoTime();
  }

  @Override
  public void watch(Call call) {}

  @Override
  public void unwatch(Call call) {}

  @Override
  public void close() {}
}
