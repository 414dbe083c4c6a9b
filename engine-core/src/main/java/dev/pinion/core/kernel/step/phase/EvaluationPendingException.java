package dev.pinion.core.kernel.step.phase;

/**
 * Control flow out of a phase whose evaluation was handed to another thread; the phase runs again
 * when the result arrives.
 */
public final class EvaluationPendingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The only one. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // holds neither a stack trace nor a cause
  public static final EvaluationPendingException INSTANCE = new EvaluationPendingException();

  private EvaluationPendingException() {
    super("waits for an evaluation", null, false, false);
  }
}
