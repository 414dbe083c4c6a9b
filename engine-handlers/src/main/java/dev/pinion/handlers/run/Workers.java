package dev.pinion.handlers.run;

/**
 * Threads that run handlers: {@code WorkerPool}, or the thread that brings a message ({@code
 * CallerRunsWorkers}). No other package can implement it, since watched calls are internal.
 */
public interface Workers extends AutoCloseable {
  /** Number of handlers that can run at once. */
  int count();

  /** Cost of a hand-over to another worker in nanoseconds, as measured at the start. */
  long handoffNanos();

  /** Runs a task soon. The windows of the chains bound the waiting tasks. */
  void execute(Runnable task);

  /**
   * Runs a task soon, on the calling worker if it is one and nothing else waits: it begins after
   * the current task, and no thread is woken for it. To be called last in a task.
   */
  default void executeNext(Runnable task) {
    execute(task);
  }

  /** The time by which calls are measured. */
  long nanoTime();

  /** Ensures that a call which begins on this thread ends in time. */
  void watch(WatchedCall call);

  /** A call of {@link #watch} has ended. */
  void unwatch(WatchedCall call);

  /**
   * Called after an abandoned call on this thread has returned: the thread is not interrupted any
   * more when this returns.
   */
  default void clearInterrupt() {}

  @Override
  void close();
}
