package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.ComparisonVerdict;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.MedianConfidenceInterval;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Whether ratios meet a target, as far as their rounds can show. */
public final class TargetFinding {
  private TargetFinding() {}

  /** Finding that the ratios should be at most this; nothing without ratios. */
  public static Stream<Finding> atMost(String name, List<Double> ratios, double most) {
    if (ratios.isEmpty()) {
      return Stream.empty();
    }
    MedianConfidenceInterval median = MedianConfidenceInterval.of(ratios);
    return judged(
        name, ratios, "at most", most, median, median.high() <= most, median.low() > most);
  }

  /** Finding that the ratios should be at least this; nothing without ratios. */
  public static Stream<Finding> atLeast(String name, List<Double> ratios, double least) {
    if (ratios.isEmpty()) {
      return Stream.empty();
    }
    MedianConfidenceInterval median = MedianConfidenceInterval.of(ratios);
    return judged(
        name, ratios, "at least", least, median, median.low() >= least, median.high() < least);
  }

  private static Stream<Finding> judged(
      String name,
      List<Double> ratios,
      String direction,
      double target,
      MedianConfidenceInterval median,
      boolean kept,
      boolean missed) {
    String aim = String.format(Locale.ROOT, "target %s %.2f: ", direction, target);
    String verdict = kept ? "kept" : missed ? "missed" : "not decided";
    String within =
        String.format(
            Locale.ROOT,
            "; the median is within %.3f and %.3f with %.1f %% confidence",
            median.low(),
            median.high(),
            100 * median.confidence());
    String said =
        ratios.size() < ComparisonVerdict.LEAST_ROUNDS
            ? ComparisonVerdict.TOO_FEW_ROUNDS.toString()
            : verdict + within;
    return Stream.of(new Finding(name, SampleSummary.of(ratios), aim + said));
  }
}
