package dev.pinion.broker.lp;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a claimed optimum is one, proved by duality: a point that keeps all bounds, and prices of
 * rows whose bound on the objective the point reaches. The solver's own status is ignored.
 *
 * @param residual greatest violation of a row or bound, relative to its size
 * @param reducedCost gain of the most promising column without an upper bound, relative to its size
 * @param gap relative difference between the objective and the bound that the prices prove
 * @param refusal why the claim is refused, for people; null when it is proved
 */
public record SolutionCheck(
    double residual, double reducedCost, double gap, @Nullable String refusal) {
  /** Greatest residual and reduced cost of an optimum. */
  public static final double TOLERANCE = 1e-8;

  /** Greatest duality gap of an optimum. */
  public static final double MAX_GAP = 1e-8;

  /** Whether the claim is proved. */
  public boolean isProved() {
    return refusal == null;
  }

  /** Checks a claim about a program, all of its columns. */
  public static SolutionCheck of(LinearProgram program, Solution.ClaimedOptimum claim) {
    if (claim.columns() != program.columns() || claim.rows() != program.rows()) {
      return refused(
          String.format(
              Locale.ROOT,
              "expected %d values and %d prices, found %d and %d",
              program.columns(),
              program.rows(),
              claim.columns(),
              claim.rows()));
    }
    return new CheckRun(program, claim).check();
  }

  private static SolutionCheck refused(String reason) {
    double unknown = Double.NaN;
    return new SolutionCheck(unknown, unknown, unknown, reason);
  }

  /** The measures of one claim. */
  private static final class CheckRun {
    private final LinearProgram program;
    private final Solution.ClaimedOptimum claim;
    private double residual;
    private String residualAt = "";
    private double reducedCost;
    private String reducedCostAt = "";

    CheckRun(LinearProgram program, Solution.ClaimedOptimum claim) {
      this.program = program;
      this.claim = claim;
    }

    SolutionCheck check() {
      if (!isFinite()) {
        return refused("expected finite values and prices, found others");
      }
      measureColumns();
      measureRows();
      double bound = bound();
      double objective = claim.objectiveOf(program);
      double gap = Math.abs(bound - objective) / Math.max(1, Math.abs(objective));
      return new SolutionCheck(residual, reducedCost, gap, refusal(gap, objective, bound));
    }

    private @Nullable String refusal(double gap, double objective, double bound) {
      if (!(residual <= TOLERANCE)) {
        return "expected a point within all bounds, found " + residualAt + " broken by " + residual;
      }
      if (!(reducedCost <= TOLERANCE)) {
        return "expected no column to gain more, found " + reducedCostAt + " gain " + reducedCost;
      }
      if (!(gap <= MAX_GAP)) {
        return "expected prices that prove the objective "
            + objective
            + ", found the bound "
            + bound;
      }
      return null;
    }

    private boolean isFinite() {
      boolean finite = true;
      for (int j = 0; j < claim.columns(); j++) {
        finite &= Double.isFinite(claim.value(j));
      }
      for (int i = 0; i < claim.rows(); i++) {
        finite &= Double.isFinite(claim.dual(i));
      }
      return finite;
    }

    private void measureColumns() {
      for (int j = 0; j < program.columns(); j++) {
        double value = claim.value(j);
        residual(program.columnName(j), program.low(j) - value, Math.abs(value));
        residual(program.columnName(j), value - program.high(j), Math.abs(value));
      }
    }

    private void measureRows() {
      double[] activity = new double[program.rows()];
      double[] size = new double[program.rows()];
      for (int j = 0; j < program.columns(); j++) {
        for (int e = program.firstEntry(j); e < program.endEntry(j); e++) {
          double part = program.entryValue(e) * claim.value(j);
          activity[program.entryRow(e)] += part;
          size[program.entryRow(e)] = Math.max(size[program.entryRow(e)], Math.abs(part));
        }
      }
      for (int i = 0; i < activity.length; i++) {
        residual(program.rowName(i), program.rowLow(i) - activity[i], size[i]);
        residual(program.rowName(i), activity[i] - program.rowHigh(i), size[i]);
      }
    }

    private void residual(String where, double broken, double size) {
      double relative = broken / Math.max(1, size);
      if (relative > residual) {
        residual = relative;
        residualAt = where;
      }
    }

    /**
     * The bound on the objective that the prices prove, except for reduced costs within tolerance.
     */
    private double bound() {
      double bound = program.offset();
      for (int i = 0; i < program.rows(); i++) {
        bound += worth(program.rowName(i), claim.dual(i), program.rowLow(i), program.rowHigh(i), 1);
      }
      for (int j = 0; j < program.columns(); j++) {
        double reduced = program.reducedCost(j, claim);
        bound += worth(program.columnName(j), reduced, program.low(j), program.high(j), scale(j));
      }
      return bound;
    }

    /** Greatest contribution of a variable by its price, between its bounds. */
    private double worth(String where, double price, double low, double high, double scale) {
      double end = price > 0 ? high : low;
      if (!Double.isInfinite(end)) {
        return price == 0 ? 0 : price * end;
      }
      double relative = Math.abs(price) / scale;
      if (relative > reducedCost) {
        reducedCost = relative;
        reducedCostAt = where;
      }
      return 0; // within tolerance it counts as nothing; beyond it is refused
    }

    private double scale(int column) {
      double scale = Math.max(1, Math.abs(program.objective(column)));
      for (int e = program.firstEntry(column); e < program.endEntry(column); e++) {
        double part = claim.dual(program.entryRow(e)) * program.entryValue(e);
        scale = Math.max(scale, Math.abs(part));
      }
      return scale;
    }
  }
}
