package dev.pinion.bootstrap.client.grpc;

/** An answer of a service that breaks a limit, or is no value. */
final class InvalidAnswerException extends Exception {
  private static final long serialVersionUID = 1;

  /** What was expected and what was found. */
  InvalidAnswerException(String problem) {
    super(problem, null, false, false);
  }

  String problem() {
    return String.valueOf(getMessage());
  }
}
