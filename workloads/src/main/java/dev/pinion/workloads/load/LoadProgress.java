package dev.pinion.workloads.load;

/** Receives the progress of a load, a few times a second, on the thread that runs it. */
@FunctionalInterface
public interface LoadProgress {
  /** Ignores the progress. */
  LoadProgress NONE = (fraction, step) -> {};

  /**
   * Called as the load proceeds.
   *
   * @param fraction completed share, 0 to 1
   * @param step current step, for a person
   */
  void onProgress(double fraction, String step);
}
