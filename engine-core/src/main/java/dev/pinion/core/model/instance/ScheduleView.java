package dev.pinion.core.model.instance;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Public state of a schedule at one moment. Times are milliseconds since the epoch, 0 for none.
 *
 * @param definition the version that has the schedule
 * @param id the instance that keeps it
 * @param timing when runs are due
 * @param paused whether nothing is due until a client resumes it
 * @param nextEpochMillis when the next run begins
 * @param last the last run that has begun, or null
 * @param totals what has happened so far
 * @param problem why the last run could not begin, or null
 */
public record ScheduleView(
    DefinitionKey definition,
    InstanceId id,
    Timing timing,
    boolean paused,
    long nextEpochMillis,
    @Nullable ScheduledRun last,
    Totals totals,
    @Nullable String problem) {
  /**
   * When runs are due.
   *
   * @param kind {@code every}, {@code cron}, {@code after} or {@code on}
   * @param value a duration of ISO 8601, a cron expression, or the events as in the definition
   * @param timeZone time zone of a cron expression, else null
   * @param overlap what happens to a run that is due while one is under way
   */
  public record Timing(String kind, Payload value, @Nullable String timeZone, String overlap) {
    /** A timing whose value is a text. */
    public Timing(String kind, String value, @Nullable String timeZone, String overlap) {
      this(kind, Payload.of(value), timeZone, overlap);
    }
  }

  /**
   * A run.
   *
   * @param id the instance, or null when it was lost
   * @param dueEpochMillis when it was due
   * @param startedEpochMillis when it began
   * @param state its state, or null when it is not known here any more
   */
  public record ScheduledRun(
      @Nullable InstanceId id,
      long dueEpochMillis,
      long startedEpochMillis,
      @Nullable InstanceState state) {}

  /**
   * Counts since the schedule began.
   *
   * @param runs runs that have begun
   * @param missed due times or matches of events without a run, because none could begin in time
   * @param skipped those without a run, because an earlier one was under way; also events that
   *     lacked others for too long
   */
  public record Totals(long runs, long missed, long skipped) {}

  /** The name of the definition. */
  public DefinitionName name() {
    return DefinitionName.of(definition);
  }
}
