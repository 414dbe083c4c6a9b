package dev.pinion.core.request;

/** A request that ends in a problem. Expected control flow, so without a stack trace. */
final class ProblemException extends Exception {
  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  ProblemException(ProblemType type, String detail) {
    this(Problem.of(type, detail));
  }

  Problem problem() {
    return problem;
  }
}
