package dev.pinion.benchmarks.experiment;

/** Receives the steps of a long run. */
@FunctionalInterface
public interface Progress {
  /** Ignores the steps. */
  Progress SILENT = what -> {};

  /** Announces the next step. */
  void step(String what);
}
