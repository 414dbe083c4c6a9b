package dev.pinion.broker.lp;

/**
 * A program in which every inequality may be violated, with the least violation as its objective:
 * its optimum is the distance of the original program from having a solution. It always has a
 * solution when the equations alone have one.
 */
final class ElasticProgram {
  /** Violation beyond which there is no solution; inequalities count relative to their bounds. */
  static final double MAX_VIOLATION = 1e-7;

  private ElasticProgram() {}

  /** The elastic program; its columns are those of the other one, then one for each inequality. */
  static LinearProgram of(LinearProgram strict) {
    LinearProgram.Builder builder = strict.withRows().offset(0);
    for (int j = 0; j < strict.columns(); j++) {
      strict.copyColumn(j, builder, 0);
    }
    for (int i = 0; i < strict.rows(); i++) {
      if (strict.rowLow(i) < strict.rowHigh(i)) {
        relax(strict, i, builder);
      }
    }
    return builder.build();
  }

  private static void relax(LinearProgram strict, int row, LinearProgram.Builder builder) {
    double low = strict.rowLow(row);
    double high = strict.rowHigh(row);
    if (high < Double.POSITIVE_INFINITY) {
      builder.column("over:" + strict.rowName(row), 0, Double.POSITIVE_INFINITY, -1);
      builder.entry(row, -Math.max(1, Math.abs(high)));
    }
    if (low > Double.NEGATIVE_INFINITY) {
      builder.column("under:" + strict.rowName(row), 0, Double.POSITIVE_INFINITY, -1);
      builder.entry(row, Math.max(1, Math.abs(low)));
    }
  }
}
