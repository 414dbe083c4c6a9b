package dev.pinion.benchmarks.report;

import java.util.List;

/** A table of text with aligned columns. */
public final class TextTable {
  private static final String GAP = "  ";

  private TextTable() {}

  /**
   * The table, each line ended by a line feed.
   *
   * @param rows rows of equal length, the head first
   * @param firstNumber first column of numbers
   * @param lastNumber last column of numbers
   */
  public static String of(List<List<String>> rows, int firstNumber, int lastNumber) {
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
        String cell = row.get(column);
        String padding = " ".repeat(widths[column] - cell.length());
        boolean isNumber = column >= firstNumber && column <= lastNumber;
        line.append(GAP).append(isNumber ? padding + cell : cell + padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
