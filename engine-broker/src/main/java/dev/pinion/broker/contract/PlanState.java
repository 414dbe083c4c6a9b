package dev.pinion.broker.contract;

import java.util.Locale;

/** What the plan in force is worth. */
public enum PlanState {
  /** There is nothing to plan for; a table that stands stays. */
  NONE,
  /** It keeps everything that was promised, and none is better. */
  OPTIMAL,
  /** Not everything can be kept: it breaks bounds at the least penalty. */
  RELAXED,
  /**
   * No newer one could be made, and the last good one used services that are gone: it does without
   * them, in proportion. Nothing is known of promises.
   */
  REPAIRED,
  /** No newer one could be made or published; the table stays as it was. */
  LAST_GOOD;

  /** Its name for machines. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
