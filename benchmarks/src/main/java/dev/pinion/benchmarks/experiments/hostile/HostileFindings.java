package dev.pinion.benchmarks.experiments.hostile;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Slowdown of the good client, round by round, against its limit. */
public final class HostileFindings {
  /** Name of the variant without hostile requests. */
  public static final String CALM = "calm";

  /** Name of the variant with them. */
  public static final String HOSTILE = "hostile";

  private static final double MOST_P99 = 2.0;
  private static final double MOST_MEMORY = 1.10;

  private HostileFindings() {}

  /** Findings of one comparison of the two. */
  public static List<Finding> of(ComparisonResults results) {
    return Stream.concat(
            finding(results, Metric.P99, MOST_P99),
            finding(results, HostileVariant.MEMORY, MOST_MEMORY))
        .toList();
  }

  private static Stream<Finding> finding(ComparisonResults results, Metric metric, double most) {
    String name = results.title() + ": " + metric.name() + ", hostile to calm";
    return results.ratio(HOSTILE, CALM, metric).stream()
        .map(ratio -> new Finding(name, ratio, note(ratio, most)));
  }

  private static String note(SampleSummary ratio, double most) {
    return String.format(
        Locale.ROOT, "%s the target of %.2f", ratio.median() <= most ? "within" : "above", most);
  }
}
