package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.experiment.Progress;
import dev.pinion.workloads.load.ProgressBar;

/** Shows the steps of an experiment as a bar on standard error, when that is a terminal. */
final class StepBar implements Progress, AutoCloseable {
  private final ProgressBar bar;
  private final int steps;
  private int done;

  /**
   * A bar.
   *
   * @param title what is in progress
   * @param steps how many steps there will be
   */
  StepBar(String title, int steps) {
    this.bar = ProgressBar.onTerminal(title);
    this.steps = steps;
  }

  @Override
  public void step(String what) {
    bar.onProgress((double) done / steps, what);
    done++;
  }

  @Override
  public void close() {
    bar.close();
  }
}
