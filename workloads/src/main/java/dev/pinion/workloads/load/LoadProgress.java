package dev.pinion.workloads.load;

/** Hears how a load goes, a few times a second, on the thread that runs it. */
@FunctionalInterface
public interface LoadProgress {
  /** Hears nothing. */
  LoadProgress NONE = (fraction, step) -> {};

  /**
   * Called as it goes on.
   *
   * @param fraction share that is done, 0 to 1
   * @param step what it is at, for a person
   */
  void onProgress(double fraction, String step);
}
