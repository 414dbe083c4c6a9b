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
  public static List<Finding> of(ComparisonResults results) {
    List<Finding> findings = new ArrayList<>();
    if (!results.samples().containsKey(BARE)) {
      return findings;
    }
    for (String variant : results.samples().keySet()) {
      if (!variant.equals(BARE) && !variant.equals(ECHO)) {
        String name = variant + " to " + BARE + ", ";
        String note = (idle(results, variant) + idle(results, BARE)).strip();
        results
            .finding(name + "throughput", variant, BARE, Metric.THROUGHPUT, note)
            .forEach(findings::add);
        results
            .finding(name + "per CPU second", variant, BARE, LoadVariant.PER_CPU, "")
            .forEach(findings::add);
      }
    }
    if (results.samples().containsKey(ECHO)) {
      String name = BARE + " to " + ECHO + ", exchanges";
      String note = (idle(results, BARE) + idle(results, ECHO)).strip();
      results.finding(name, BARE, ECHO, LoadVariant.EXCHANGES, note).forEach(findings::add);
      results
          .finding(name + " per CPU second", BARE, ECHO, LoadVariant.PER_CPU, "")
          .forEach(findings::add);
    }
    return findings;
  }

  private static String idle(ComparisonResults results, String variant) {
    SampleSummary busy = results.summary(variant, LoadVariant.BUSY);
    return busy.median() >= FULL_CORE
        ? ""
        : String.format(Locale.ROOT, "%s used only %.2f of a core. ", variant, busy.median());
  }
}
