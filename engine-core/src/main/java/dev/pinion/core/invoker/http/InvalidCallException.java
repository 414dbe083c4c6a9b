package dev.pinion.core.invoker.http;

/** A request that cannot be sent. */
public final class InvalidCallException extends Exception {
  private final String problem;

  InvalidCallException(String problem) {
    super(problem, null, false, false);
    this.problem = problem;
  }

  /** Description of what was expected and what was found. */
  public String problem() {
    return problem;
  }
}
