package dev.pinion.benchmarks.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results as a table for people: median, spread and ratio to the baseline. */
public final class ResultTable {
  private static final String GAP = "  ";

  private ResultTable() {}

  /** The table, each line ended by a line feed. */
  public static String render(Results results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("metric", "variant", "median", "min", "max", "ratio", "ratio spread", ""));
    for (Metric metric : results.metrics()) {
      String heading = metric.name() + " [" + metric.unit() + "]";
      for (String variant : results.samples().keySet()) {
        rows.add(row(results, metric, variant, heading));
        heading = "";
      }
    }
    String rounds = results.rounds() == 1 ? "1 round" : results.rounds() + " rounds";
    return results.title()
        + " ("
        + rounds
        + ", baseline "
        + results.baseline()
        + ")\n"
        + align(rows);
  }

  private static List<String> row(Results results, Metric metric, String variant, String heading) {
    Summary summary = results.summary(variant, metric);
    List<String> row = new ArrayList<>();
    row.add(heading);
    row.add(variant);
    row.add(number(summary.median(), metric.decimals()));
    row.add(number(summary.min(), metric.decimals()));
    row.add(number(summary.max(), metric.decimals()));
    results
        .ratio(variant, results.baseline(), metric)
        .ifPresentOrElse(
            ratio -> {
              row.add(number(ratio.median(), 2));
              row.add(number(ratio.min(), 2) + " to " + number(ratio.max(), 2));
            },
            () -> row.addAll(List.of("-", "-")));
    row.add(results.verdict(variant, metric).toString());
    return row;
  }

  private static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  private static String align(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        line.append(GAP).append(cell(row.get(column), widths[column], column));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static String cell(String text, int width, int column) {
    String padding = " ".repeat(width - text.length());
    boolean isNumber = column >= 2 && column <= 5;
    return isNumber ? padding + text : text + padding;
  }
}
