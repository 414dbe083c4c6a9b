package dev.pinion.handlers.run;

/**
 * Settings of workers.
 *
 * @param count number of workers, at least 1; the placement plan gives the number of CPUs for
 *     handlers
 * @param spinMillis time after the last task in which they spin before they park, only for workers
 *     that own a CPU; 0 to park at once
 * @param maxStuck the most workers that may hang in handlers and be replaced
 * @param atStart run by each worker before anything else; binds it to its CPU, by the name of its
 *     thread, {@code handlers-0} and so on
 */
public record WorkerSettings(int count, int spinMillis, int maxStuck, Runnable atStart) {
  private static final int HOUR_MILLIS = 3_600_000;

  /** Checks the numbers. */
  public WorkerSettings {
    if (count < 1 || spinMillis < 0 || maxStuck < 0) {
      throw new IllegalArgumentException(
          "expected at least one worker, and no less than 0 ms to spin and 0 to be replaced, found "
              + count
              + ", "
              + spinMillis
              + " and "
              + maxStuck);
    }
  }

  /** Whether they spin before they park. */
  public boolean spins() {
    return spinMillis > 0;
  }

  /** Workers that park, anywhere. */
  public static WorkerSettings parked(int count, int maxStuck) {
    return new WorkerSettings(count, 0, maxStuck, () -> {});
  }

  /** Workers that spin for longer than any test waits, anywhere. */
  public static WorkerSettings spinning(int count, int maxStuck) {
    return new WorkerSettings(count, HOUR_MILLIS, maxStuck, () -> {});
  }
}
