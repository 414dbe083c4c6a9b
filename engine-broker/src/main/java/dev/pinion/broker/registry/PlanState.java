package dev.pinion.broker.registry;

import java.util.Locale;

/** Quality of the plan in force. */
public enum PlanState {
  /** There is nothing to plan for; an existing table stays. */
  NONE,
  /** It keeps all promises, and none is better. */
  OPTIMAL,
  /** Not all promises can be kept: it violates bounds at the least penalty. */
  RELAXED,
  /**
   * No newer one could be made, and the last good one used services that are gone: their shares go
   * to the others, in proportion. Whether it keeps promises is unknown.
   */
  REPAIRED,
  /** No newer one could be made or published; the table is unchanged. */
  LAST_GOOD;

  /** Its name for machines. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
