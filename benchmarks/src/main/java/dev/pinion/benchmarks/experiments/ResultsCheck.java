package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.workloads.load.GeneratorLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that results contain what every table must report, and finds reasons for doubt. */
final class ResultsCheck {
  private static final Set<String> REQUIRED = Set.of(Metric.ERRORS.name(), Metric.CPU.name());

  private ResultsCheck() {}

  /**
   * Checks results.
   *
   * @return sentences of doubt
   * @throws IllegalStateException when a table lacks errors or processor time
   */
  static List<String> check(List<ComparisonResults> results) {
    List<String> doubts = new ArrayList<>();
    for (ComparisonResults one : results) {
      Set<String> names =
          one.metrics().stream().map(Metric::name).collect(Collectors.toUnmodifiableSet());
      if (!names.containsAll(REQUIRED)) {
        throw new IllegalStateException(
            "expected " + REQUIRED + " in each table, found " + names + " for " + one.title());
      }
      if (one.metrics().contains(Metric.GENERATOR)) {
        one.samples().keySet().forEach(variant -> doubt(one, variant, doubts));
      }
    }
    return doubts;
  }

  private static void doubt(ComparisonResults one, String variant, List<String> doubts) {
    double busy = one.summary(variant, Metric.GENERATOR).median();
    double side =
        one.metrics().contains(LoadVariant.LOAD_SIDE)
            ? one.summary(variant, LoadVariant.LOAD_SIDE).median()
            : 0;
    double lag = one.summary(variant, LoadVariant.LAG).median();
    double tolerated =
        Math.max(
            GeneratorLoad.TOLERATED_LAG_MILLIS,
            GeneratorLoad.TOLERATED_SHARE * one.summary(variant, Metric.P50).median());
    if (busy >= GeneratorLoad.BUSY || side >= GeneratorLoad.BUSY) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "%s, %s: the load generator may have been the bottleneck (busiest event loop %.2f"
                  + " cores, with the stub services %.2f of their CPUs in the median round).",
              one.title(),
              variant,
              busy,
              side));
    } else if (lag > tolerated) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "%s, %s: requests were sent late (%.2f ms at p99 in the median round), as on a busy"
                  + " machine: latencies contain it.",
              one.title(),
              variant,
              lag));
    }
  }
}
