package dev.pinion.benchmarks.experiment;

/** Told what a long run is about to do. */
@FunctionalInterface
public interface Progress {
  /** Tells nobody. */
  Progress SILENT = what -> {};

  /** The next step begins. */
  void step(String what);
}
