package dev.pinion.broker.lp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Maximises {@code offset + objective · x} over {@code low ≤ x ≤ high} with {@code rowLow ≤ Ax ≤
 * rowHigh}. Rows and columns have names; A is stored by columns. Immutable.
 */
public final class LinearProgram {
  private final List<String> rows;
  private final List<String> columns;
  private final double offset;
  private final double[] rowLow;
  private final double[] rowHigh;
  private final double[] low;
  private final double[] high;
  private final double[] objective;

  /** Column j has the entries from {@code starts[j]} to before {@code starts[j + 1]}. */
  private final int[] starts;

  private final int[] entryRows;
  private final double[] entryValues;

  private LinearProgram(Builder from) {
    rows = List.copyOf(from.rows);
    columns = List.copyOf(from.columns);
    offset = from.offset;
    rowLow = from.rowLow.toArray();
    rowHigh = from.rowHigh.toArray();
    low = from.low.toArray();
    high = from.high.toArray();
    objective = from.objective.toArray();
    starts = Arrays.copyOf(from.starts, columns.size() + 1);
    starts[columns.size()] = from.entries;
    entryRows = Arrays.copyOf(from.entryRows, from.entries);
    entryValues = Arrays.copyOf(from.entryValues, from.entries);
  }

  /** Number of rows. */
  public int rows() {
    return rows.size();
  }

  /** Number of columns. */
  public int columns() {
    return columns.size();
  }

  /** Constant part of the objective. */
  public double offset() {
    return offset;
  }

  /** Name of a row. */
  public String rowName(int row) {
    return rows.get(row);
  }

  /** Least activity of a row; may be negative infinity. */
  public double rowLow(int row) {
    return rowLow[row];
  }

  /** Greatest activity of a row; may be infinity. */
  public double rowHigh(int row) {
    return rowHigh[row];
  }

  /** Name of a column. */
  public String columnName(int column) {
    return columns.get(column);
  }

  /** Least value of a column; finite. */
  public double low(int column) {
    return low[column];
  }

  /** Greatest value of a column; may be infinity. */
  public double high(int column) {
    return high[column];
  }

  /** Coefficient of a column in the objective. */
  public double objective(int column) {
    return objective[column];
  }

  /** Index of the first entry of a column. */
  public int firstEntry(int column) {
    return starts[column];
  }

  /** Index after the last entry of a column. */
  public int endEntry(int column) {
    return starts[column + 1];
  }

  /** Row of an entry. */
  public int entryRow(int entry) {
    return entryRows[entry];
  }

  /** Coefficient of an entry. */
  public double entryValue(int entry) {
    return entryValues[entry];
  }

  /** Coefficient of a column in the objective minus the price of its rows. */
  double reducedCost(int column, Solution.ClaimedOptimum prices) {
    double reduced = objective[column];
    for (int e = starts[column]; e < starts[column + 1]; e++) {
      reduced -= prices.dual(entryRows[e]) * entryValues[e];
    }
    return reduced;
  }

  /** The same rows with some of the columns, in the given order. */
  LinearProgram restrictedTo(int[] kept) {
    Builder builder = withRows();
    for (int column : kept) {
      copyColumn(column, builder, objective[column]);
    }
    return builder.build();
  }

  /** A builder with the rows of this program, at the same indices. */
  Builder withRows() {
    Builder builder = new Builder().offset(offset);
    for (int row = 0; row < rows.size(); row++) {
      builder.row(rows.get(row), rowLow[row], rowHigh[row]);
    }
    return builder;
  }

  /** Adds a column to a builder that has the rows of this program. */
  void copyColumn(int column, Builder to, double worth) {
    to.column(columns.get(column), low[column], high[column], worth);
    for (int e = starts[column]; e < starts[column + 1]; e++) {
      to.entry(entryRows[e], entryValues[e]);
    }
  }

  /** The program in the style of LP files, row by row, for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("maximise ").append(offset);
    for (int j = 0; j < columns.size(); j++) {
      if (objective[j] != 0) {
        term(text, objective[j], columns.get(j));
      }
    }
    List<StringBuilder> left = new ArrayList<>();
    rows.forEach(_ -> left.add(new StringBuilder()));
    for (int j = 0; j < columns.size(); j++) {
      for (int e = starts[j]; e < starts[j + 1]; e++) {
        term(left.get(entryRows[e]), entryValues[e], columns.get(j));
      }
    }
    text.append("\nsubject to\n");
    for (int i = 0; i < rows.size(); i++) {
      text.append(rows.get(i)).append(": ").append(rowLow[i]).append(" <=").append(left.get(i));
      text.append(" <= ").append(rowHigh[i]).append('\n');
    }
    text.append("bounds\n");
    for (int j = 0; j < columns.size(); j++) {
      text.append(low[j]).append(" <= ").append(columns.get(j));
      text.append(" <= ").append(high[j]).append('\n');
    }
    return text.toString();
  }

  private static void term(StringBuilder text, double coefficient, String name) {
    text.append(coefficient < 0 ? " - " : " + ").append(Math.abs(coefficient));
    text.append(' ').append(name);
  }

  /** Builds a program: rows first, then column by column with its entries. Not thread-safe. */
  public static final class Builder {
    private final List<String> rows = new ArrayList<>();
    private final Map<String, Integer> rowIndices = new HashMap<>();
    private final List<String> columns = new ArrayList<>();
    private final DoubleList rowLow = new DoubleList();
    private final DoubleList rowHigh = new DoubleList();
    private final DoubleList low = new DoubleList();
    private final DoubleList high = new DoubleList();
    private final DoubleList objective = new DoubleList();
    private double offset;
    private int[] starts = new int[16];
    private int[] entryRows = new int[64];
    private double[] entryValues = new double[64];
    private int entries;

    /** Sets the constant part of the objective. */
    public Builder offset(double value) {
      offset = finite(value, "the offset");
      return this;
    }

    /**
     * Adds a row.
     *
     * @return its index
     */
    public int row(String name, double least, double most) {
      if (Double.isNaN(least) || Double.isNaN(most) || least > most) {
        throw new IllegalArgumentException(
            "expected bounds in order for row " + name + ", found " + least + " and " + most);
      }
      if (rowIndices.putIfAbsent(name, rows.size()) != null) {
        throw new IllegalArgumentException("expected one row named " + name + ", found a second");
      }
      rows.add(name);
      rowLow.add(least);
      rowHigh.add(most);
      return rows.size() - 1;
    }

    /**
     * Adds a column; entries that follow are its own.
     *
     * @param least finite
     * @return its index
     */
    public int column(String name, double least, double most, double worth) {
      if (Double.isNaN(most) || finite(least, name) > most) {
        throw new IllegalArgumentException(
            "expected bounds in order for column " + name + ", found " + least + " and " + most);
      }
      columns.add(name);
      if (columns.size() >= starts.length) {
        starts = Arrays.copyOf(starts, starts.length * 2);
      }
      starts[columns.size() - 1] = entries;
      low.add(least);
      high.add(most);
      objective.add(finite(worth, name));
      return columns.size() - 1;
    }

    /** Adds an entry to the latest column; at most one for each row. Zeros are left out. */
    public Builder entry(int row, double coefficient) {
      if (finite(coefficient, rows.get(row)) == 0) {
        return this;
      }
      if (entries == entryRows.length) {
        entryRows = Arrays.copyOf(entryRows, entries * 2);
        entryValues = Arrays.copyOf(entryValues, entries * 2);
      }
      entryRows[entries] = row;
      entryValues[entries++] = coefficient;
      return this;
    }

    /** The program. */
    public LinearProgram build() {
      return new LinearProgram(this);
    }

    private static double finite(double value, String where) {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(
            "expected a finite number at " + where + ", found " + value);
      }
      return value;
    }
  }
}
