package dev.pinion.core.model.call;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;

/** Outcome of a call. */
public sealed interface CallOutcome {
  /**
   * The service answered with a status that the definition accepts.
   *
   * @param output the raw task output, in the form that {@link HttpCall#output} asks for
   */
  record Succeeded(Payload output) implements CallOutcome {}

  /**
   * No acceptable answer.
   *
   * @param error {@link ErrorType#COMMUNICATION} with the answer's status, or another standard type
   */
  record Failed(WorkflowError error) implements CallOutcome {}

  /** The call was abandoned because its response was no longer wanted; has no effect. */
  record Aborted() implements CallOutcome {
    /** The only instance. */
    public static final Aborted INSTANCE = new Aborted();
  }
}
