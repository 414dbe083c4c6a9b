package dev.pinion.benchmarks.bench;

import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Results;
import dev.pinion.benchmarks.experiment.Summary;
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
  public static List<Finding> of(Results results) {
    List<Finding> findings = new ArrayList<>();
    if (!results.samples().containsKey(BARE)) {
      return findings;
    }
    for (String variant : results.samples().keySet()) {
      if (!variant.equals(BARE) && !variant.equals(ECHO)) {
        add(findings, results, variant, BARE, Metric.THROUGHPUT, "throughput");
        add(findings, results, variant, BARE, LoadVariant.PER_CPU, "per CPU second");
      }
    }
    if (results.samples().containsKey(ECHO)) {
      add(findings, results, BARE, ECHO, LoadVariant.EXCHANGES, "exchanges");
      add(findings, results, BARE, ECHO, LoadVariant.PER_CPU, "exchanges per CPU second");
    }
    return findings;
  }

  private static void add(
      List<Finding> findings,
      Results results,
      String variant,
      String other,
      Metric metric,
      String of) {
    String note =
        metric.equals(LoadVariant.PER_CPU) ? "" : idle(results, variant) + idle(results, other);
    results
        .ratio(variant, other, metric)
        .ifPresent(
            ratio ->
                findings.add(
                    new Finding(variant + " to " + other + ", " + of, ratio, note.strip())));
  }

  private static String idle(Results results, String variant) {
    Summary busy = results.summary(variant, LoadVariant.BUSY);
    return busy.median() >= FULL_CORE
        ? ""
        : String.format(Locale.ROOT, "%s used only %.2f of a core. ", variant, busy.median());
  }
}
