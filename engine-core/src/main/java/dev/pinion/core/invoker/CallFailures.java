package dev.pinion.core.invoker;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;

/** Failed outcomes, described without secrets. */
public final class CallFailures {
  private CallFailures() {}

  public static CallOutcome.Failed of(ErrorType type, String detail) {
    return new CallOutcome.Failed(WorkflowError.of(type, detail));
  }

  public static CallOutcome.Failed communication(String detail) {
    return of(ErrorType.COMMUNICATION, detail);
  }

  /** A communication error with the status of the response. */
  static CallOutcome.Failed status(int status, String title, String detail) {
    return new CallOutcome.Failed(
        new WorkflowError(ErrorType.COMMUNICATION.uri(), status, title, detail, null));
  }
}
