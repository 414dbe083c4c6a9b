package dev.pinion.core.model.instance;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import org.jspecify.annotations.Nullable;

/**
 * Public state of an instance at one moment.
 *
 * @param id the instance
 * @param definition the definition it runs
 * @param state its state
 * @param startedAtEpochMillis when it started
 * @param endedAtEpochMillis when it ended, 0 while it has not
 * @param sequence number of events applied so far; grows with every change
 * @param output its output when completed, else null
 * @param error its error when faulted, else null
 * @param tags tags given by the client
 * @param parent the task that started it, or null when a client did
 * @param compensation how far it has come with compensation; null when there is nothing to tell
 */
public record InstanceView(
    InstanceId id,
    DefinitionKey definition,
    InstanceState state,
    long startedAtEpochMillis,
    long endedAtEpochMillis,
    long sequence,
    @Nullable Payload output,
    @Nullable WorkflowError error,
    Tags tags,
    @Nullable ParentTask parent,
    @Nullable CompensationStatus compensation) {
  /** The state of an instance without compensation. */
  public InstanceView(
      InstanceId id,
      DefinitionKey definition,
      InstanceState state,
      long startedAtEpochMillis,
      long endedAtEpochMillis,
      long sequence,
      @Nullable Payload output,
      @Nullable WorkflowError error,
      Tags tags,
      @Nullable ParentTask parent) {
    this(
        id,
        definition,
        state,
        startedAtEpochMillis,
        endedAtEpochMillis,
        sequence,
        output,
        error,
        tags,
        parent,
        null);
  }

  /** The state of an instance that a client started. */
  public InstanceView(
      InstanceId id,
      DefinitionKey definition,
      InstanceState state,
      long startedAtEpochMillis,
      long endedAtEpochMillis,
      long sequence,
      @Nullable Payload output,
      @Nullable WorkflowError error,
      Tags tags) {
    this(
        id,
        definition,
        state,
        startedAtEpochMillis,
        endedAtEpochMillis,
        sequence,
        output,
        error,
        tags,
        null);
  }

  /** A copy without output, error and errors of compensations. */
  public InstanceView brief() {
    boolean isBrief = compensation == null || compensation.failures().isEmpty();
    return output == null && error == null && isBrief
        ? this
        : new InstanceView(
            id,
            definition,
            state,
            startedAtEpochMillis,
            endedAtEpochMillis,
            sequence,
            null,
            null,
            tags,
            parent,
            compensation == null ? null : compensation.brief());
  }

  /** A copy of an instance that a task started. */
  public InstanceView startedBy(@Nullable ParentTask task) {
    return task == null
        ? this
        : new InstanceView(
            id,
            definition,
            state,
            startedAtEpochMillis,
            endedAtEpochMillis,
            sequence,
            output,
            error,
            tags,
            task,
            compensation);
  }

  /** A copy of an instance with compensation. */
  public InstanceView compensating(@Nullable CompensationStatus status) {
    return status == null
        ? this
        : new InstanceView(
            id,
            definition,
            state,
            startedAtEpochMillis,
            endedAtEpochMillis,
            sequence,
            output,
            error,
            tags,
            parent,
            status);
  }
}
