package dev.pinion.broker.contract;

import dev.pinion.broker.optimise.ClassLevel;
import java.time.Instant;
import java.util.List;

/**
 * The plan that replicas bind by.
 *
 * @param version version of its table; 0 when there is none
 * @param state what it is worth
 * @param cause what it was made for
 * @param reason why it is no better; empty when it is optimal
 * @param at when it was made
 * @param objective what it reaches; not a number when there is none
 * @param classes what it does for each class
 */
public record PlanInForce(
    long version,
    PlanState state,
    String cause,
    String reason,
    Instant at,
    double objective,
    List<ClassLevel> classes) {
  /** Copies the list. */
  public PlanInForce {
    classes = List.copyOf(classes);
  }

  /** The same table, which is not what it was. */
  public PlanInForce as(PlanState other, String newCause, String why, Instant now) {
    return new PlanInForce(version, other, newCause, why, now, objective, classes);
  }
}
