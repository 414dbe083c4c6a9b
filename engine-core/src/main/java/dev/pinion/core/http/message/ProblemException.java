package dev.pinion.core.http.message;

/** A request that ends in a problem. Expected control flow, so without a stack trace. */
public final class ProblemException extends Exception {
  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  public ProblemException(ProblemType type, String detail) {
    this(Problem.of(type, detail));
  }

  public Problem problem() {
    return problem;
  }
}
