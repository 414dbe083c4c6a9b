package dev.pinion.handlers.run;

/**
 * What workers there are.
 *
 * @param count how many, at least 1; the plan of the machine says how many CPUs run handlers
 * @param spins whether they look for work without a pause, which is only for workers that own a
 *     CPU; else they park
 * @param maxStuck how many may hang in handlers and be replaced
 * @param atStart run by each worker before anything else; puts it on its CPU, by the name of its
 *     thread, {@code handlers-0} and so on
 */
public record WorkerSettings(int count, boolean spins, int maxStuck, Runnable atStart) {
  /** Checks the numbers. */
  public WorkerSettings {
    if (count < 1 || maxStuck < 0) {
      throw new IllegalArgumentException(
          "expected at least one worker and no less than 0 to be replaced, found "
              + count
              + " and "
              + maxStuck);
    }
  }

  /** Workers that park, anywhere. */
  public static WorkerSettings parked(int count, int maxStuck) {
    return new WorkerSettings(count, false, maxStuck, () -> {});
  }

  /** Workers that spin, anywhere. */
  public static WorkerSettings spinning(int count, int maxStuck) {
    return new WorkerSettings(count, true, maxStuck, () -> {});
  }
}
