package dev.pinion.handlers.run;

/** Threads that run handlers: a pool, or the thread that brings a message. */
public sealed interface Workers extends AutoCloseable permits WorkerPool, CallerRunsWorkers {
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
  void watch(HandlerCall handlerCall);

  /** A call of {@link #watch} has ended. */
  void unwatch(HandlerCall handlerCall);

  /**
   * Called after an abandoned call on this thread has returned: the thread is not interrupted any
   * more when this returns.
   */
  default void clearInterrupt() {}

  @Override
  void close();
}
