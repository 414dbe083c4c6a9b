package dev.pinion.core.invoker;

/** A response that breaks the protocol or a limit. */
final class BadAnswerException extends Exception {
  private final String problem;

  BadAnswerException(String problem) {
    super(problem, null, false, false);
    this.problem = problem;
  }

  /** Description of what was expected and what was found. */
  String problem() {
    return problem;
  }
}
