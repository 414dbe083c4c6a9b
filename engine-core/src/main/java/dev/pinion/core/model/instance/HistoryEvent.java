package dev.pinion.core.model.instance;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import org.jspecify.annotations.Nullable;

/**
 * An entry in the history of an instance. Follows from the instance's events alone, so a replay of
 * them gives the same.
 *
 * @param id the instance
 * @param sequence number among the entries of the instance; ascends, with gaps
 * @param kind kind of the entry
 * @param epochMillis wall-clock time of the event that led to it
 * @param definition definition of the instance
 * @param task the task concerned, or null for the instance as a whole
 * @param sinceEpochMillis when the task or the instance began; {@code epochMillis} where it does so
 *     now
 * @param input input of the task or the instance, where it begins or ends; else null
 * @param output output of a completed task or instance; the correlation keys of a task that has all
 *     its events; else null
 * @param error error of a failed task or instance; else null
 * @param detail further text, such as the call that is made; of a task that is resumed {@link
 *     StatusPhase#WAITING} if it goes on waiting; of an instance that is started or resumed {@link
 *     StatusPhase#PENDING} if it waits until the time of its start; else null
 * @param tags tags given by the client, where the instance begins; else none
 * @param parent the task that started the instance, where the instance begins; else null
 */
public record HistoryEvent(
    InstanceId id,
    long sequence,
    EventKind kind,
    long epochMillis,
    DefinitionKey definition,
    @Nullable TaskRun task,
    long sinceEpochMillis,
    @Nullable Payload input,
    @Nullable Payload output,
    @Nullable WorkflowError error,
    @Nullable String detail,
    Tags tags,
    @Nullable ParentTask parent) {

  /** Bits of {@link #sequence} that number the entries of one step of an instance. */
  private static final int ORDINAL_BITS = 24;

  /** An entry that does not begin a child. */
  public HistoryEvent(
      InstanceId id,
      long sequence,
      EventKind kind,
      long epochMillis,
      DefinitionKey definition,
      @Nullable TaskRun task,
      long sinceEpochMillis,
      @Nullable Payload input,
      @Nullable Payload output,
      @Nullable WorkflowError error,
      @Nullable String detail,
      Tags tags) {
    this(
        id,
        sequence,
        kind,
        epochMillis,
        definition,
        task,
        sinceEpochMillis,
        input,
        output,
        error,
        detail,
        tags,
        null);
  }

  /** The last numbers of a step are those of children, which are started behind it. */
  private static final int CHILD_ORDINALS = 1 << (ORDINAL_BITS - 2);

  private static final int FIRST_CHILD = (1 << ORDINAL_BITS) - CHILD_ORDINALS;

  /** Kind of an entry. The names are part of the interface. */
  public enum EventKind {
    /** The instance began, or waits until the time of its start. */
    INSTANCE_STARTED,
    /** The instance, which waited until the time of its start, begins. */
    INSTANCE_BEGUN,
    /** A task was entered. */
    TASK_STARTED,
    /** A task has its output. */
    TASK_COMPLETED,
    /** A task was skipped because of its condition. */
    TASK_SKIPPED,
    /** A task ended with its own error or one from inside it. */
    TASK_FAILED,
    /** A task was ended from outside. */
    TASK_CANCELLED,
    /** A task is under way in an instance that was suspended. */
    TASK_SUSPENDED,
    /** A task is under way in an instance that was resumed. */
    TASK_RESUMED,
    /** A task tries once more what is inside it. */
    TASK_RETRIED,
    /** A call was sent. */
    CALL_STARTED,
    /** A delay began: that of a wait, or before a retry. */
    TIMER_STARTED,
    /** A task started another instance. */
    CHILD_STARTED,
    /** A task began to listen to events. */
    EVENT_AWAITED,
    /** A task consumed an event. */
    EVENT_CONSUMED,
    /** A task has consumed all events that it listened for. */
    EVENT_CORRELATED,
    /** A task emitted an event, which is stored. */
    EVENT_EMITTED,
    /** The compensation of a completed task began. */
    COMPENSATION_STARTED,
    /** A completed task was compensated. */
    COMPENSATION_COMPLETED,
    /** The compensation of a completed task ended with an error. */
    COMPENSATION_FAILED,
    /** The compensation of a completed task was interrupted, and will begin once more. */
    COMPENSATION_CANCELLED,
    /** The instance was suspended. */
    INSTANCE_SUSPENDED,
    /** The instance was resumed. */
    INSTANCE_RESUMED,
    /** The instance, which had faulted, continues from before the task that failed. */
    INSTANCE_RETRIED,
    /** The instance begins to compensate its completed tasks, before it ends. */
    INSTANCE_COMPENSATING,
    /** The instance ended with an output. */
    INSTANCE_COMPLETED,
    /** The instance ended with an error. */
    INSTANCE_FAULTED,
    /** The instance was cancelled. */
    INSTANCE_CANCELLED,
    /** A gap: the records of this time are lost. */
    GAP,
    /** A message of a handler. Belongs to no instance, so to no history; for subscribers only. */
    NOTICE
  }

  /**
   * A task.
   *
   * @param pointer its JSON pointer
   * @param name its name
   * @param activity its slot among the running tasks of the instance: the next end in a slot
   *     belongs to the last start in it
   */
  public record TaskRun(String pointer, String name, int activity) {}

  /**
   * The number of an entry.
   *
   * @param step number of events and advances of the instance
   * @param ordinal its number within that step, from 0
   * @throws IllegalStateException when one step has more than can be numbered
   */
  public static long sequence(long step, int ordinal) {
    if (ordinal < 0 || ordinal >= FIRST_CHILD) {
      throw new IllegalStateException(
          "expected fewer than " + FIRST_CHILD + " events in one step of an instance");
    }
    return step << ORDINAL_BITS | ordinal;
  }

  /**
   * The number of the entry about a child: behind those of the step that its parent had come to.
   *
   * @param step number of events and advances of the parent when the child was started
   * @param attempt number under which the task started it, from 1
   */
  public static long childSequence(long step, int attempt) {
    return step << ORDINAL_BITS | FIRST_CHILD + attempt % CHILD_ORDINALS;
  }

  /** The highest number of any entry up to the end of a step. */
  public static long lastOf(long step) {
    return ((step + 1) << ORDINAL_BITS) - 1;
  }

  /** Time that the task or the instance took; 0 where it begins. */
  public long durationMillis() {
    return Math.max(0, epochMillis - sinceEpochMillis);
  }
}
