package dev.pinion.broker.registry;

import dev.pinion.broker.optimise.ClassLevel;
import java.time.Instant;
import java.util.List;

/**
 * The plan by which replicas bind.
 *
 * @param version version of its table; 0 when there is none
 * @param state its quality
 * @param cause its cause
 * @param reason why it is not optimal; empty when it is
 * @param at time of its making
 * @param objective value of the objective; not a number when there is none
 * @param classes its levels for each class
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

  /** The same table in another state. */
  public PlanInForce as(PlanState other, String newCause, String why, Instant now) {
    return new PlanInForce(version, other, newCause, why, now, objective, classes);
  }
}
