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
  public static String render(ComparisonResults comparisonResults) {
    return caption(comparisonResults) + "\n" + TextTable.of(rows(comparisonResults), 2, 5);
  }

  /** Caption above the table. */
  public static String caption(ComparisonResults comparisonResults) {
    String rounds =
        comparisonResults.rounds() == 1 ? "1 round" : comparisonResults.rounds() + " rounds";
    return comparisonResults.title()
        + " ("
        + rounds
        + ", baseline "
        + comparisonResults.baseline()
        + ")";
  }

  /** The cells, head first; a metric is named in the row of its first variant. */
  public static List<List<String>> rows(ComparisonResults comparisonResults) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("metric", "variant", "median", "min", "max", "ratio", "ratio spread", ""));
    for (Metric metric : comparisonResults.metrics()) {
      String heading = metric.name() + " [" + metric.unit() + "]";
      for (String variant : comparisonResults.samples().keySet()) {
        rows.add(row(comparisonResults, metric, variant, heading));
        heading = "";
      }
    }
    for (Metric part : comparisonResults.parts()) {
      String heading = part.name() + " [" + part.unit() + "]";
      for (String variant : comparisonResults.samples().keySet()) {
        if (comparisonResults.parts(variant).contains(part)) {
          List<String> row = measured(comparisonResults, part, variant, heading);
          row.addAll(List.of("-", "-", ""));
          rows.add(row);
          heading = "";
        }
      }
    }
    return rows;
  }

  private static List<String> measured(
      ComparisonResults comparisonResults, Metric metric, String variant, String heading) {
    SampleSummary sampleSummary = comparisonResults.summary(variant, metric);
    List<String> row = new ArrayList<>();
    row.add(heading);
    row.add(variant);
    row.add(number(sampleSummary.median(), metric.decimals()));
    row.add(number(sampleSummary.min(), metric.decimals()));
    row.add(number(sampleSummary.max(), metric.decimals()));
    return row;
  }

  private static List<String> row(
      ComparisonResults comparisonResults, Metric metric, String variant, String heading) {
    List<String> row = measured(comparisonResults, metric, variant, heading);
    comparisonResults
        .ratio(variant, comparisonResults.baseline(), metric)
        .ifPresentOrElse(
            ratio -> {
              row.add(RatioFormat.text(ratio.median()));
              row.add(RatioFormat.text(ratio.min()) + " to " + RatioFormat.text(ratio.max()));
            },
            () -> row.addAll(List.of("-", "-")));
    row.add(comparisonResults.verdict(variant, metric).toString());
    return row;
  }

  private static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
