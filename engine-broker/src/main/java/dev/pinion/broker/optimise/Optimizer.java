package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.Answer;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Mode;

/**
 * Finds the best plan of a problem. Any thread that may wait; callers of one solver wait for each
 * other.
 */
public final class Optimizer {
  private final VerifiedSolver solver;

  /** An optimiser with a solver. */
  public Optimizer(VerifiedSolver solver) {
    this.solver = solver;
  }

  /**
   * Prepares the solver, so that the first problem does not wait.
   *
   * @throws IllegalStateException when it cannot work here
   */
  public void warmUp() {
    solver.warmUp();
  }

  /** The best plan, by the mode of the problem. */
  public Result optimise(BrokerProblem problem) {
    Candidates candidates = Candidates.of(problem);
    Formulation formulation =
        Formulation.of(problem, candidates, ClassTerms.of(problem, candidates));
    return switch (solver.solve(formulation.pool())) {
      case Answer.Optimal optimal ->
          new Result.Optimal(Evaluation.of(problem, formulation, optimal));
      case Answer.Infeasible infeasible ->
          new Result.Infeasible(
              infeasible.violation(),
              Evaluation.prices(formulation, infeasible.proof()),
              formulation.pool().program().columns(),
              formulation.pool().program().rows());
      case Answer.Unknown unknown -> new Result.Unknown(unknown.reasons());
    };
  }

  /** The best plan when bounds may be violated, at the penalties of the problem. */
  public Result relaxed(BrokerProblem problem) {
    return optimise(problem.withOptions(problem.options().withMode(Mode.DEGRADED)));
  }
}
