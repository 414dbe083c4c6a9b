package dev.pinion.core.kernel.step;

/**
 * Control flow out of a phase whose evaluation was handed to another thread; the phase runs again
 * when the result arrives.
 */
final class EvaluationPendingException extends RuntimeException {
  @SuppressWarnings("StaticAssignmentOfThrowable") // holds neither a stack trace nor a cause
  static final EvaluationPendingException INSTANCE = new EvaluationPendingException();

  private EvaluationPendingException() {
    super("waits for an evaluation", null, false, false);
  }
}
