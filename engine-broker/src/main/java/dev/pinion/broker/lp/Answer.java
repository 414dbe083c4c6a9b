package dev.pinion.broker.lp;

import java.util.List;

/** The proved result about a program. */
public sealed interface Answer {
  /**
   * The best point.
   *
   * @param objective its objective
   * @param solution point and prices, of all columns and rows of the whole program
   * @param check the proof's measures
   */
  record Optimal(double objective, Solution.Optimal solution, SolutionCheck check)
      implements Answer {}

  /**
   * There is no solution.
   *
   * @param violation least sum of the violations of inequalities, relative to their bounds
   * @param proof the solution of the elastic program, which proves it
   */
  record Infeasible(double violation, Solution.Optimal proof) implements Answer {}

  /**
   * Nothing is known: no solver gave a provable answer.
   *
   * @param reasons the reason of each attempt
   */
  record Unknown(List<String> reasons) implements Answer {
    /** Copies the list. */
    public Unknown {
      reasons = List.copyOf(reasons);
    }
  }
}
