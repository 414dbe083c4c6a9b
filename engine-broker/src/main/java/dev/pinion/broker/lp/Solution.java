package dev.pinion.broker.lp;

/** What a solver claims about a program. Nothing of it is verified. */
public sealed interface Solution {
  /** A best point, and what the rows are worth there. */
  final class Optimal implements Solution {
    private final double[] values;
    private final double[] duals;

    /**
     * Copies both.
     *
     * @param values by column
     * @param duals by row: by how much the objective grows with a unit of the row's bound
     */
    public Optimal(double[] values, double[] duals) {
      this.values = values.clone();
      this.duals = duals.clone();
    }

    /** Number of values; that of the columns, unless the solver is wrong. */
    public int columns() {
      return values.length;
    }

    /** Number of duals; that of the rows, unless the solver is wrong. */
    public int rows() {
      return duals.length;
    }

    /** Value of a column. */
    public double value(int column) {
      return values[column];
    }

    /** Worth of a unit more of a row's bound. */
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
     * The same point of a program with more columns: where mine are there, the rest at {@code 0}.
     */
    Optimal spread(int[] columns, int of) {
      double[] spread = new double[of];
      for (int i = 0; i < columns.length; i++) {
        spread[columns[i]] = values[i];
      }
      return new Optimal(spread, duals);
    }
  }

  /** No point keeps all rows. */
  record Infeasible() implements Solution {}

  /** The objective has no bound. */
  record Unbounded() implements Solution {}

  /** The time was over. */
  record TimedOut() implements Solution {}

  /**
   * No answer.
   *
   * @param reason why, for people
   */
  record Failed(String reason) implements Solution {}
}
