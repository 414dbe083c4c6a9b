package dev.pinion.broker.lp;

import dev.pinion.core.model.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Solves programs and accepts only proved answers. Calls one solver after the other until an answer
 * is proved. Programs of many columns are solved by {@linkplain ColumnGeneration generating
 * columns}; the proof still covers all columns. The problems of the broker have bounded objectives,
 * so a claim that one has none is refused too. Any thread that may wait; callers wait for each
 * other.
 */
public final class VerifiedSolver {
  /** Columns up to which a program is solved as a whole. */
  public static final int WHOLE_COLUMNS = 3_000;

  /** Time by which a solver may exceed its limit. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** Violation at which the columns suffice: a rounding error above zero. */
  private static final double ENOUGH = 1e-10;

  private final List<LpSolver> solvers;
  private final Clock clock;
  private final Duration limit;

  /**
   * A chain of solvers in this order.
   *
   * @param solvers at least one
   * @param limit time for each program and solver, proof of infeasibility included
   */
  public VerifiedSolver(List<? extends LpSolver> solvers, Clock clock, Duration limit) {
    this.solvers = List.copyOf(solvers);
    this.clock = clock;
    this.limit = limit;
  }

  /** OR-tools' own simplex, then that of COIN-OR, each on a guarded thread. Loads nothing yet. */
  public static VerifiedSolver ofOrTools(Clock clock, Duration limit) {
    return new VerifiedSolver(
        Stream.of(OrToolsSolver.Algorithm.values())
            .map(each -> new GuardedSolver(new OrToolsSolver(each), GRACE))
            .toList(),
        clock,
        limit);
  }

  /**
   * Prepares the first solver, so that the first program does not wait.
   *
   * @throws IllegalStateException when it cannot work here
   */
  public void warmUp() {
    solvers.getFirst().warmUp();
  }

  /** Solves a program. Callers wait for each other. */
  public synchronized VerifiedSolution solve(ColumnPool pool) {
    List<String> reasons = new ArrayList<>();
    for (LpSolver solver : solvers) {
      Attempt attempt = new Attempt(solver, pool, deadline());
      VerifiedSolution verifiedSolution = attempt.solution();
      if (!(verifiedSolution instanceof VerifiedSolution.Unproved unproved)) {
        return verifiedSolution;
      }
      unproved.reasons().forEach(reason -> reasons.add(solver.name() + ": " + reason));
    }
    return new VerifiedSolution.Unproved(reasons);
  }

  private Supplier<Duration> deadline() {
    long end = clock.nanoTime() + limit.toNanos();
    return () -> Duration.ofNanos(end - clock.nanoTime());
  }

  /** One solver's attempt at one program. */
  private record Attempt(LpSolver solver, ColumnPool pool, Supplier<Duration> left) {
    VerifiedSolution solution() {
      boolean whole = pool.program().columns() <= WHOLE_COLUMNS;
      return whole ? solveWhole() : generate();
    }

    private VerifiedSolution solveWhole() {
      Solution claim = solver.solve(pool.program(), left.get());
      if (claim instanceof Solution.ClaimedInfeasibility) {
        LinearProgram elastic = ElasticProgram.of(pool.program());
        return infeasible(elastic, solver.solve(elastic, left.get()));
      }
      return judge(claim);
    }

    /** Finds a set of columns that has a solution, then the best one. */
    private VerifiedSolution generate() {
      ColumnPool elastic = pool.extendedTo(ElasticProgram.of(pool.program()));
      ColumnGeneration first = new ColumnGeneration(solver, elastic, elastic.initial(), left);
      Solution least = first.run(-ENOUGH);
      if (!(least instanceof Solution.ClaimedOptimum claimedOptimum)
          || !(claimedOptimum.columns() == elastic.program().columns()
              && claimedOptimum.objectiveOf(elastic.program()) >= -ElasticProgram.MAX_VIOLATION)) {
        return infeasible(elastic.program(), least);
      }
      BitSet active = first.active();
      active.clear(pool.program().columns(), elastic.program().columns());
      return judge(new ColumnGeneration(solver, pool, active, left).run(Double.POSITIVE_INFINITY));
    }

    private VerifiedSolution judge(Solution claim) {
      return switch (claim) {
        case Solution.ClaimedOptimum claimedOptimum -> proved(pool.program(), claimedOptimum);
        case Solution.ClaimedInfeasibility _ ->
            unknown("claims that there is no solution, although one was found before");
        case Solution.Unbounded _ -> unknown("says that the objective has no bound");
        case Solution.TimedOut _ -> unknown("no answer in time");
        case Solution.Failed failed -> unknown(failed.reason());
      };
    }

    private static VerifiedSolution proved(LinearProgram program, Solution.ClaimedOptimum claim) {
      SolutionCheck check = SolutionCheck.of(program, claim);
      String refusal = check.refusal();
      return refusal == null
          ? new VerifiedSolution.ProvedOptimum(claim.objectiveOf(program), claim, check)
          : unknown(refusal);
    }

    /** The meaning of an answer to the elastic program for the original one. */
    private static VerifiedSolution infeasible(LinearProgram elastic, Solution claim) {
      if (!(claim instanceof Solution.ClaimedOptimum claimedOptimum)) {
        return unknown("no answer about the elastic program: " + claim);
      }
      if (!(proved(elastic, claimedOptimum) instanceof VerifiedSolution.ProvedOptimum least)) {
        return proved(elastic, claimedOptimum);
      }
      double violation = -least.objective();
      return violation > ElasticProgram.MAX_VIOLATION
          ? new VerifiedSolution.ProvedInfeasibility(violation, claimedOptimum)
          : unknown("says that there is no solution, but one misses its bounds by " + violation);
    }

    private static VerifiedSolution unknown(String reason) {
      return new VerifiedSolution.Unproved(List.of(reason));
    }
  }
}
