package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Summary;
import java.util.Locale;

/**
 * Whether a ratio keeps a target, as far as its rounds can tell. Smallest and largest of n ratios
 * enclose their true median with a probability of 1 - 2^(1-n), whatever their distribution.
 */
final class Target {
  private Target() {}

  /** The ratio should be this at most. */
  static Finding atMost(String name, Summary ratio, double most, int rounds) {
    return judged(name, ratio, "at most", most, ratio.max() <= most, ratio.min() > most, rounds);
  }

  /** The ratio should be this at least. */
  static Finding atLeast(String name, Summary ratio, double least, int rounds) {
    return judged(
        name, ratio, "at least", least, ratio.min() >= least, ratio.max() < least, rounds);
  }

  private static Finding judged(
      String name,
      Summary ratio,
      String direction,
      double target,
      boolean kept,
      boolean missed,
      int rounds) {
    String verdict = kept ? "kept" : missed ? "missed" : "not decided, the spread reaches beyond";
    return new Finding(
        name,
        ratio,
        String.format(
            Locale.ROOT,
            "target %s %.2f: %s; the spread is a confidence interval of %.1f %%",
            direction,
            target,
            verdict,
            100 * confidence(rounds)));
  }

  /** How sure it is that the true median lies within the spread of so many rounds. */
  static double confidence(int rounds) {
    return 1 - Math.pow(2, 1 - rounds);
  }
}
