package dev.pinion.benchmarks.report;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results as a table for people: median, spread and ratio to the baseline. */
public final class ResultTable {
  private ResultTable() {}

  /** The table, each line ended by a line feed. */
  public static String render(ComparisonResults results) {
    return caption(results) + "\n" + TextTable.of(rows(results), 2, 5);
  }

  /** Caption above the table. */
  public static String caption(ComparisonResults results) {
    String rounds = results.rounds() == 1 ? "1 round" : results.rounds() + " rounds";
    return results.title() + " (" + rounds + ", baseline " + results.baseline() + ")";
  }

  /** The cells, head first; a metric is named in the row of its first variant. */
  public static List<List<String>> rows(ComparisonResults results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("metric", "variant", "median", "min", "max", "ratio", "ratio spread", ""));
    for (Metric metric : results.metrics()) {
      String heading = metric.name() + " [" + metric.unit() + "]";
      for (String variant : results.samples().keySet()) {
        rows.add(row(results, metric, variant, heading));
        heading = "";
      }
    }
    for (Metric part : results.parts()) {
      String heading = part.name() + " [" + part.unit() + "]";
      for (String variant : results.samples().keySet()) {
        if (results.parts(variant).contains(part)) {
          List<String> row = measured(results, part, variant, heading);
          row.addAll(List.of("-", "-", ""));
          rows.add(row);
          heading = "";
        }
      }
    }
    return rows;
  }

  private static List<String> measured(
      ComparisonResults results, Metric metric, String variant, String heading) {
    SampleSummary summary = results.summary(variant, metric);
    List<String> row = new ArrayList<>();
    row.add(heading);
    row.add(variant);
    row.add(number(summary.median(), metric.decimals()));
    row.add(number(summary.min(), metric.decimals()));
    row.add(number(summary.max(), metric.decimals()));
    return row;
  }

  private static List<String> row(
      ComparisonResults results, Metric metric, String variant, String heading) {
    List<String> row = measured(results, metric, variant, heading);
    results
        .ratio(variant, results.baseline(), metric)
        .ifPresentOrElse(
            ratio -> {
              row.add(RatioFormat.text(ratio.median()));
              row.add(RatioFormat.text(ratio.min()) + " to " + RatioFormat.text(ratio.max()));
            },
            () -> row.addAll(List.of("-", "-")));
    row.add(results.verdict(variant, metric).toString());
    return row;
  }

  private static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
