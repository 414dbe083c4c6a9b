package dev.pinion.core.invoker;

/** A request that cannot be sent. */
final class InvalidCallException extends Exception {
  private final String problem;

  InvalidCallException(String problem) {
    super(problem, null, false, false);
    this.problem = problem;
  }

  /** Description of what was expected and what was found. */
  String problem() {
    return problem;
  }
}
