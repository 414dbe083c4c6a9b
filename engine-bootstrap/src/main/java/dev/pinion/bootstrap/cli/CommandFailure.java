package dev.pinion.bootstrap.cli;

/** Ends a command with an exit status and one sentence. */
final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  CommandFailure(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
