package dev.pinion.core.invoker.http;

/** A response that breaks the protocol or a limit. */
final class BadResponseException extends Exception {
  private final String problem;

  BadResponseException(String problem) {
    super(problem, null, false, false);
    this.problem = problem;
  }

  /** Description of what was expected and what was found. */
  String problem() {
    return problem;
  }
}
