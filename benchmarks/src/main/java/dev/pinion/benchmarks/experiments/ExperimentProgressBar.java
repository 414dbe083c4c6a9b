package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.RunProgress;
import dev.pinion.core.model.Clock;
import dev.pinion.workloads.load.ProgressBar;
import java.time.Duration;

/**
 * Shows the steps of an experiment as a bar on standard error, when that is a terminal, with the
 * remaining time if further steps take as long as the previous ones.
 */
public final class ExperimentProgressBar implements RunProgress, AutoCloseable {
  private final ProgressBar bar;
  private final Clock clock;
  private int steps;
  private int done;
  private long beganNanos;

  /**
   * A bar.
   *
   * @param title title of the bar
   */
  public ExperimentProgressBar(String title) {
    this(ProgressBar.onTerminal(title), Clock.system());
  }

  ExperimentProgressBar(ProgressBar bar, Clock clock) {
    this.bar = bar;
    this.clock = clock;
  }

  /** Shows the preparation before the first step. */
  void preparing(String what) {
    bar.onProgress(0, what);
  }

  /** Sets the number of steps; time counts from now on. */
  public void begin(int allSteps) {
    steps = allSteps;
    beganNanos = clock.nanoTime();
  }

  @Override
  public void step(String what) {
    bar.onProgress((double) done / steps, left() + what);
    done++;
  }

  private String left() {
    if (done == 0) {
      return "";
    }
    double perStep = (double) (clock.nanoTime() - beganNanos) / done;
    return DurationText.about(Duration.ofNanos((long) (perStep * (steps - done)))) + " left, ";
  }

  @Override
  public void close() {
    bar.close();
  }
}
