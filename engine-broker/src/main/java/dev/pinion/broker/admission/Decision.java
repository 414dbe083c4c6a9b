package dev.pinion.broker.admission;

import dev.pinion.broker.optimise.Optimum;
import java.util.List;
import java.util.OptionalDouble;

/** What is to become of a wish for a contract. */
public sealed interface Decision {
  /**
   * It can be taken on.
   *
   * @param plan the plan for everybody then
   * @param gain by how much the objective grows; none under an objective that is normalised anew
   */
  record Admitted(Optimum plan, OptionalDouble gain) implements Decision {}

  /**
   * There is a plan, but it earns less than the one without.
   *
   * @param plan the plan for everybody then
   * @param gain by how much the objective grows; negative
   */
  record Loss(Optimum plan, double gain) implements Decision {}

  /**
   * No plan keeps all promises then.
   *
   * @param violation by how much bounds would have to be broken in sum, relative to themselves
   */
  record Infeasible(double violation) implements Decision {}

  /**
   * No solver gave an answer that can be proved, so it is not taken on.
   *
   * @param reasons why, of each attempt
   */
  record Undecided(List<String> reasons) implements Decision {
    /** Copies the list. */
    public Undecided {
      reasons = List.copyOf(reasons);
    }
  }
}
