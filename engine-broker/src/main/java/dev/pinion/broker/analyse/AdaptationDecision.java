package dev.pinion.broker.analyse;

import dev.pinion.broker.registry.PlanInForce;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * A decision because of observations.
 *
 * @param at time
 * @param causes its causes, the first first; at least one
 * @param outcome its outcome
 * @param detail the reason for this outcome; may be empty
 * @param before the plan before
 * @param after the plan after; the same when nothing was changed
 */
public record AdaptationDecision(
    Instant at,
    List<Cause> causes,
    AdaptationOutcome outcome,
    String detail,
    PlanInForce before,
    PlanInForce after) {
  /** Outcome of causes. */
  public enum AdaptationOutcome {
    /** A new plan is in force. */
    ADOPTED,
    /** The plan stays: none is better by enough, or none is known. */
    KEPT,
    /** The table continues without services that are down. */
    REPAIRED,
    /** It was recorded. */
    NOTED;

    /** Its name for machines. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Copies the list. */
  public AdaptationDecision {
    causes = List.copyOf(causes);
  }
}
