package dev.pinion.bootstrap.client.grpc;

/** Arguments that are no message of the type that a method takes. */
final class InvalidArgumentsException extends Exception {
  private static final long serialVersionUID = 1;

  /** What was expected and what was found. */
  InvalidArgumentsException(String problem) {
    super(problem, null, false, false);
  }

  String problem() {
    return String.valueOf(getMessage());
  }
}
