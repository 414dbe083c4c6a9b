package dev.pinion.broker.optimise;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The proved result about a problem. */
public sealed interface OptimisationResult {
  /**
   * There is a best plan, proved.
   *
   * @param optimum the plan
   */
  record Optimal(OptimalPlan optimum) implements OptimisationResult {}

  /**
   * No plan keeps all bounds, proved.
   *
   * @param violation least sum of the violations of bounds, relative to the bounds
   * @param prices by row, the multipliers that prove it
   * @param columns columns of the whole program
   * @param rows its rows
   */
  record Infeasible(double violation, Map<String, Double> prices, int columns, int rows)
      implements OptimisationResult {
    /** Copies the map, in its order. */
    public Infeasible {
      prices = Collections.unmodifiableMap(new LinkedHashMap<>(prices));
    }
  }

  /**
   * Nothing is known.
   *
   * @param reasons the failure of each solver, for people
   */
  record Unknown(List<String> reasons) implements OptimisationResult {
    /** Copies the list. */
    public Unknown {
      reasons = List.copyOf(reasons);
    }
  }
}
