package dev.pinion.benchmarks.experiment;

/** Receives the steps of a long run. */
@FunctionalInterface
public interface RunProgress {
  /** Ignores the steps. */
  RunProgress SILENT = what -> {};

  /** Announces the next step. */
  void step(String what);
}
