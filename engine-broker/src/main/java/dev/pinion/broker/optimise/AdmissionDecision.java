package dev.pinion.broker.optimise;

import java.util.List;
import java.util.OptionalDouble;

/** Decision about a request for a contract. */
public sealed interface AdmissionDecision {
  /**
   * It can be admitted.
   *
   * @param plan the plan for all contracts then
   * @param gain growth of the objective; none under an objective whose normalisation changes
   */
  record Admitted(OptimalPlan plan, OptionalDouble gain) implements AdmissionDecision {}

  /**
   * There is a plan, but it earns less than the one without.
   *
   * @param plan the plan for all contracts then
   * @param gain growth of the objective; negative
   */
  record Loss(OptimalPlan plan, double gain) implements AdmissionDecision {}

  /**
   * No plan keeps all promises then.
   *
   * @param violation least sum of the violations of bounds, relative to the bounds
   */
  record Unattainable(double violation) implements AdmissionDecision {}

  /**
   * No solver gave a provable answer, so it is not admitted.
   *
   * @param reasons the reason of each attempt
   */
  record Undecided(List<String> reasons) implements AdmissionDecision {
    /** Copies the list. */
    public Undecided {
      reasons = List.copyOf(reasons);
    }
  }
}
