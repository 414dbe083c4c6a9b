package dev.pinion.broker.lp;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** OR-tools: native code, loaded at the first use. The only class that uses the library. */
public final class OrToolsSolver implements LpSolver {
  /**
   * Solvers of the library. HiGHS is not among them: in 9.15 its wrapper returns activities of rows
   * in place of prices, so none of its results can be proved (ADR 0018).
   */
  public enum Algorithm {
    /** Its own simplex. */
    GLOP,

    /** The simplex of COIN-OR. */
    CLP
  }

  /** Tolerance of residuals and reduced costs; the default is 1e-7. */
  private static final double TOLERANCE = 1e-9;

  private final Algorithm algorithm;

  /** A solver that loads nothing yet. */
  public OrToolsSolver(Algorithm algorithm) {
    this.algorithm = algorithm;
  }

  @Override
  public String name() {
    return "OR-tools " + algorithm.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void warmUp() {
    load();
    LinearProgram.Builder builder = new LinearProgram.Builder();
    int row = builder.row("row", Double.NEGATIVE_INFINITY, 1);
    builder.column("column", 0, Double.POSITIVE_INFINITY, 1);
    builder.entry(row, 1);
    if (!(solve(builder.build(), Duration.ofSeconds(10)) instanceof Solution.ClaimedOptimum)) {
      throw new IllegalStateException("expected " + name() + " to solve max x, x <= 1; it did not");
    }
  }

  private void load() {
    try {
      Loader.loadNativeLibraries();
    } catch (RuntimeException | LinkageError e) {
      throw new IllegalStateException(
          "expected the native library of OR-tools for this platform among the jars, found: "
              + e.getMessage()
              + "; on other systems than Linux put its jar of that platform beside the others",
          e);
    }
  }

  @Override
  public Solution solve(LinearProgram program, Duration limit) {
    load();
    MPSolver solver = create();
    if (solver == null) {
      return new Solution.Failed("this build of OR-tools has no " + algorithm);
    }
    try {
      return new Call(solver, program).run(limit);
    } finally {
      solver.delete();
    }
  }

  /** Makes the native solver; the loader considers a partly unpacked library as loaded. */
  private @Nullable MPSolver create() {
    try {
      return MPSolver.createSolver(algorithm.name());
    } catch (UnsatisfiedLinkError e) {
      throw new IllegalStateException(
          "expected room for the native library of OR-tools, about 70 MB, in "
              + System.getProperty("java.io.tmpdir")
              + ", found none: make room on that disk and start again",
          e);
    }
  }

  /** One program in the solver's form. */
  private static final class Call {
    private final MPSolver solver;
    private final MPConstraint[] rows;
    private final MPVariable[] columns;

    Call(MPSolver solver, LinearProgram program) {
      this.solver = solver;
      rows = new MPConstraint[program.rows()];
      columns = new MPVariable[program.columns()];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = solver.makeConstraint(program.rowLow(i), program.rowHigh(i));
      }
      MPObjective objective = solver.objective();
      objective.setMaximization();
      for (int j = 0; j < columns.length; j++) {
        columns[j] = solver.makeNumVar(program.low(j), program.high(j), "");
        objective.setCoefficient(columns[j], program.objective(j));
        for (int e = program.firstEntry(j); e < program.endEntry(j); e++) {
          rows[program.entryRow(e)].setCoefficient(columns[j], program.entryValue(e));
        }
      }
    }

    Solution run(Duration limit) {
      solver.setTimeLimit(Math.max(1, limit.toMillis()));
      MPSolverParameters parameters = new MPSolverParameters();
      try {
        parameters.setDoubleParam(MPSolverParameters.DoubleParam.PRIMAL_TOLERANCE, TOLERANCE);
        parameters.setDoubleParam(MPSolverParameters.DoubleParam.DUAL_TOLERANCE, TOLERANCE);
        return solution(solver.solve(parameters));
      } finally {
        parameters.delete();
      }
    }

    private Solution solution(MPSolver.ResultStatus status) {
      return switch (status) {
        case OPTIMAL -> optimal();
        case INFEASIBLE -> new Solution.ClaimedInfeasibility();
        case UNBOUNDED -> new Solution.Unbounded();
        case FEASIBLE, NOT_SOLVED -> new Solution.TimedOut(); // stopped before the end
        default -> new Solution.Failed("the solver stopped with status " + status);
      };
    }

    private Solution optimal() {
      double[] values = new double[columns.length];
      double[] duals = new double[rows.length];
      for (int j = 0; j < values.length; j++) {
        values[j] = columns[j].solutionValue();
      }
      for (int i = 0; i < duals.length; i++) {
        duals[i] = rows[i].dualValue();
      }
      return new Solution.ClaimedOptimum(values, duals);
    }
  }
}
