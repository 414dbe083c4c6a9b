package dev.pinion.handlers.run;

import dev.pinion.core.model.Clock;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Runs handlers on the thread that brings the message: for tests, tools and chains of cheap
 * handlers. A handler that hangs blocks that thread: no other thread can continue without it.
 */
public final class CallerRunsWorkers implements Workers {
  /** Tasks that wait for the current task of this thread; of all chains. */
  private static final ThreadLocal<Deque<Runnable>> WAITING = new ThreadLocal<>();

  private final Clock clock;

  /** Workers without separate threads. */
  public CallerRunsWorkers(Clock clock) {
    this.clock = clock;
  }

  @Override
  public int count() {
    return 1;
  }

  @Override
  public long handoffNanos() {
    return 0;
  }

  /** Runs a task before this returns; a task submitted within another runs after that. */
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
  public void watch(WatchedCall call) {}

  @Override
  public void unwatch(WatchedCall call) {}

  @Override
  public void close() {}
}
