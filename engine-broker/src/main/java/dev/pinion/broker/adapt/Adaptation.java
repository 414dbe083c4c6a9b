package dev.pinion.broker.adapt;

import dev.pinion.broker.contract.PlanInForce;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * What was decided because of what was observed.
 *
 * @param at when
 * @param causes why, the first first; at least one
 * @param outcome what came of it
 * @param detail why nothing else came of it; may be empty
 * @param before the plan before
 * @param after the plan after; the same when nothing was changed
 */
public record Adaptation(
    Instant at,
    List<Cause> causes,
    Outcome outcome,
    String detail,
    PlanInForce before,
    PlanInForce after) {
  /** What came of causes. */
  public enum Outcome {
    /** A new plan is in force. */
    ADOPTED,
    /** The plan stays: none is better by enough, or none is known. */
    KEPT,
    /** The table goes on without services that are down. */
    REPAIRED,
    /** It was told. */
    NOTED;

    /** Its name for machines. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Copies the list. */
  public Adaptation {
    causes = List.copyOf(causes);
  }
}
