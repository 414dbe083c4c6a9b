package dev.pinion.core.schedule;

/**
 * When runs of a definition are due, and what happens when they overlap.
 *
 * @param recurrence the due times
 * @param overlap what happens to a run that is due while one is under way
 */
public record ScheduleRule(Recurrence recurrence, OverlapPolicy overlap) {
  /** Whether the end of a run decides about the next one. */
  public boolean awaitsRuns() {
    return recurrence.followsRuns() || overlap != OverlapPolicy.ALLOW;
  }
}
