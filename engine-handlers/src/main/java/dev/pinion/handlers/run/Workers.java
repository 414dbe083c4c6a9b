package dev.pinion.handlers.run;

/** Where handlers run: a pool of threads, or the thread that brings a message. */
public sealed interface Workers extends AutoCloseable permits WorkerPool, CallingThread {
  /** How many handlers can run at once. */
  int count();

  /** Nanoseconds that it costs to have another worker do something, as measured at the start. */
  long handOverNanos();

  /** Runs a task soon. What waits is bounded by the windows of the chains. */
  void execute(Runnable task);

  /**
   * Runs a task soon, by the worker that calls when it is one and nothing else waits: it begins
   * when what that worker does now is over, and nobody is woken for it. To be called last in a
   * task.
   */
  default void executeNext(Runnable task) {
    execute(task);
  }

  /** The time by which calls are measured. */
  long nanoTime();

  /** Sees to it that a call which begins on this thread ends in time. */
  void watch(Call call);

  /** A call of {@link #watch} has ended. */
  void unwatch(Call call);

  /**
   * A call on this thread has come back after it was given up: the thread is not interrupted any
   * more when this returns.
   */
  default void settle() {}

  @Override
  void close();
}
