package dev.pinion.core.model;

/**
 * An expression that failed for the values it was given. Carries no stack trace: it becomes an
 * error of the process.
 */
public final class ExpressionException extends RuntimeException {
  private final transient WorkflowError error;

  /** A failure that becomes a given error of the process. */
  public ExpressionException(WorkflowError error) {
    super(error.detail(), null, false, false);
    this.error = error;
  }

  /** A failure of type {@link ErrorType#EXPRESSION}. */
  public ExpressionException(String detail) {
    this(WorkflowError.of(ErrorType.EXPRESSION, detail));
  }

  /** The error that the process sees. */
  public WorkflowError error() {
    return error;
  }
}
