package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.VerifiedSolution;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.PromiseMode;

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
  public OptimisationResult optimise(BrokerProblem problem) {
    CandidateImplementations candidateImplementations = CandidateImplementations.of(problem);
    Formulation formulation =
        Formulation.of(
            problem,
            candidateImplementations,
            ClassCoefficients.of(problem, candidateImplementations));
    return switch (solver.solve(formulation.pool())) {
      case VerifiedSolution.ProvedOptimum provedOptimum ->
          new OptimisationResult.Optimal(
              SolutionEvaluation.of(problem, formulation, provedOptimum));
      case VerifiedSolution.ProvedInfeasibility provedInfeasibility ->
          new OptimisationResult.Infeasible(
              provedInfeasibility.violation(),
              SolutionEvaluation.prices(formulation, provedInfeasibility.proof()),
              formulation.pool().program().columns(),
              formulation.pool().program().rows());
      case VerifiedSolution.Unproved unproved -> new OptimisationResult.Unknown(unproved.reasons());
    };
  }

  /** The best plan when bounds may be violated, at the penalties of the problem. */
  public OptimisationResult relaxed(BrokerProblem problem) {
    return optimise(problem.withOptions(problem.options().withMode(PromiseMode.DEGRADED)));
  }
}
