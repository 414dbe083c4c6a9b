package dev.pinion.broker.lp;

import java.util.List;

/** The proved result about a program. */
public sealed interface VerifiedSolution {
  /**
   * The best point.
   *
   * @param objective its objective
   * @param solution point and prices, of all columns and rows of the whole program
   * @param check the proof's measures
   */
  record ProvedOptimum(double objective, Solution.ClaimedOptimum solution, SolutionCheck check)
      implements VerifiedSolution {}

  /**
   * There is no solution.
   *
   * @param violation least sum of the violations of inequalities, relative to their bounds
   * @param proof the solution of the elastic program, which proves it
   */
  record ProvedInfeasibility(double violation, Solution.ClaimedOptimum proof)
      implements VerifiedSolution {}

  /**
   * Nothing is known: no solver gave a provable answer.
   *
   * @param reasons the reason of each attempt
   */
  record Unproved(List<String> reasons) implements VerifiedSolution {
    /** Copies the list. */
    public Unproved {
      reasons = List.copyOf(reasons);
    }
  }
}
