package dev.pinion.broker.lp;

/** A solver's claim about a program, not verified. */
public sealed interface Solution {
  /** A best point, and the prices of the rows there. */
  final class ClaimedOptimum implements Solution {
    private final double[] values;
    private final double[] duals;

    /**
     * Copies both.
     *
     * @param values by column
     * @param duals by row: growth of the objective for a unit of the row's bound
     */
    public ClaimedOptimum(double[] values, double[] duals) {
      this.values = values.clone();
      this.duals = duals.clone();
    }

    /** Number of values; equals the columns, unless the solver is wrong. */
    public int columns() {
      return values.length;
    }

    /** Number of duals; equals the rows, unless the solver is wrong. */
    public int rows() {
      return duals.length;
    }

    /** Value of a column. */
    public double value(int column) {
      return values[column];
    }

    /** Price of a unit of a row's bound. */
    public double dual(int row) {
      return duals[row];
    }

    /** The objective of a program at this point. */
    public double objectiveOf(LinearProgram program) {
      double sum = program.offset();
      for (int j = 0; j < values.length; j++) {
        sum += program.objective(j) * values[j];
      }
      return sum;
    }

    /**
     * The same point of a program with more columns: these values at their columns, {@code 0} for
     * the rest.
     */
    ClaimedOptimum spread(int[] columns, int of) {
      double[] spread = new double[of];
      for (int i = 0; i < columns.length; i++) {
        spread[columns[i]] = values[i];
      }
      return new ClaimedOptimum(spread, duals);
    }
  }

  /** No point keeps all rows. */
  record ClaimedInfeasibility() implements Solution {}

  /** The objective has no bound. */
  record Unbounded() implements Solution {}

  /** The time limit was exceeded. */
  record TimedOut() implements Solution {}

  /**
   * No answer.
   *
   * @param reason the reason, for people
   */
  record Failed(String reason) implements Solution {}
}
