package dev.pinion.benchmarks.testbed;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Findings of a comparison with the yardstick: the engine's share of the bare exchange's
 * throughput, and whether the bare exchange is good enough as a yardstick.
 *
 * <p>The throughput of a process that did not fill its core says nothing about the process: the
 * load side was the limit. Such a ratio carries a note, and the ratio for a second of processor
 * time beside it is the one to read.
 */
public final class YardstickFindings {
  /** Name of the bare exchange in results. */
  public static final String BARE = "bare";

  /** Name of the echo in results. */
  public static final String ECHO = "echo";

  private static final double FULL_CORE = 0.95;

  private YardstickFindings() {}

  /** The findings; none when the yardstick was not measured. */
  public static List<Finding> of(ComparisonResults comparisonResults) {
    List<Finding> findings = new ArrayList<>();
    if (!comparisonResults.samples().containsKey(BARE)) {
      return findings;
    }
    for (String variant : comparisonResults.samples().keySet()) {
      if (!variant.equals(BARE) && !variant.equals(ECHO)) {
        add(findings, comparisonResults, variant, BARE, Metric.THROUGHPUT, "throughput");
        add(findings, comparisonResults, variant, BARE, LoadVariant.PER_CPU, "per CPU second");
      }
    }
    if (comparisonResults.samples().containsKey(ECHO)) {
      add(findings, comparisonResults, BARE, ECHO, LoadVariant.EXCHANGES, "exchanges");
      add(findings, comparisonResults, BARE, ECHO, LoadVariant.PER_CPU, "exchanges per CPU second");
    }
    return findings;
  }

  private static void add(
      List<Finding> findings,
      ComparisonResults comparisonResults,
      String variant,
      String other,
      Metric metric,
      String of) {
    String note =
        metric.equals(LoadVariant.PER_CPU)
            ? ""
            : idle(comparisonResults, variant) + idle(comparisonResults, other);
    comparisonResults
        .ratio(variant, other, metric)
        .ifPresent(
            ratio ->
                findings.add(
                    new Finding(variant + " to " + other + ", " + of, ratio, note.strip())));
  }

  private static String idle(ComparisonResults comparisonResults, String variant) {
    SampleSummary busy = comparisonResults.summary(variant, LoadVariant.BUSY);
    return busy.median() >= FULL_CORE
        ? ""
        : String.format(Locale.ROOT, "%s used only %.2f of a core. ", variant, busy.median());
  }
}
