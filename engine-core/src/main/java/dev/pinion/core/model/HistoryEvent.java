package dev.pinion.core.model;

import org.jspecify.annotations.Nullable;

/**
 * Something that an instance did, as its history tells it. Follows from the instance's events
 * alone, so a replay of them gives the same.
 *
 * @param id the instance
 * @param sequence number among what the instance did; ascends, with gaps
 * @param kind what happened
 * @param epochMillis wall-clock time of the event that led to it
 * @param definition what the instance runs
 * @param task the task concerned, or null for the instance as a whole
 * @param sinceEpochMillis when the task or the instance began; {@code epochMillis} where it does so
 *     now
 * @param input input of the task or the instance, where it begins or ends; else null
 * @param output output of what completed; else null
 * @param error error of what failed; else null
 * @param detail further words, such as the call that is made; else null
 * @param tags what the client calls the instance, where it begins; else nothing
 */
public record HistoryEvent(
    InstanceId id,
    long sequence,
    Kind kind,
    long epochMillis,
    DefinitionKey definition,
    @Nullable Task task,
    long sinceEpochMillis,
    @Nullable Payload input,
    @Nullable Payload output,
    @Nullable WorkflowError error,
    @Nullable String detail,
    Tags tags) {

  /** Bits of {@link #sequence} that number what happens in one step of an instance. */
  private static final int ORDINAL_BITS = 24;

  /** What happened. The names are part of the interface. */
  public enum Kind {
    /** The instance began. */
    INSTANCE_STARTED,
    /** A task was entered. */
    TASK_STARTED,
    /** A task has its output. */
    TASK_COMPLETED,
    /** A task was passed over because of its condition. */
    TASK_SKIPPED,
    /** A task ended with an error, its own or one from inside it. */
    TASK_FAILED,
    /** A task was ended from outside. */
    TASK_CANCELLED,
    /** A call was handed out. */
    CALL_STARTED,
    /** A delay began: that of a wait, or before a retry. */
    TIMER_STARTED,
    /** The instance was suspended. */
    INSTANCE_SUSPENDED,
    /** The instance was resumed. */
    INSTANCE_RESUMED,
    /** The instance, which had faulted, goes on from before the task that failed. */
    INSTANCE_RETRIED,
    /** The instance ended with an output. */
    INSTANCE_COMPLETED,
    /** The instance ended with an error. */
    INSTANCE_FAULTED,
    /** The instance was cancelled. */
    INSTANCE_CANCELLED,
    /** What happened here is not known: the records of it are gone. */
    GAP,
    /** A handler tells of a message. Of no instance, so in no history; for subscribers only. */
    NOTICE
  }

  /**
   * A task.
   *
   * @param pointer its JSON pointer
   * @param name its name
   * @param activity its place among what is under way in the instance: what ends there next ends
   *     what began there last
   */
  public record Task(String pointer, String name, int activity) {}

  /**
   * The number of something that happened.
   *
   * @param step how many events and activities the instance had worked off
   * @param ordinal its number within that step, from 0
   * @throws IllegalStateException when one step has more than can be numbered
   */
  public static long sequence(long step, int ordinal) {
    if (ordinal >>> ORDINAL_BITS != 0) {
      throw new IllegalStateException(
          "expected less than " + (1 << ORDINAL_BITS) + " happenings in one step of an instance");
    }
    return step << ORDINAL_BITS | ordinal;
  }

  /** The highest number of anything that happened up to the end of a step. */
  public static long lastOf(long step) {
    return ((step + 1) << ORDINAL_BITS) - 1;
  }

  /** Time that the task or the instance took; 0 where it begins. */
  public long durationMillis() {
    return Math.max(0, epochMillis - sinceEpochMillis);
  }
}
