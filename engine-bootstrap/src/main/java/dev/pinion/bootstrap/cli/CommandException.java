package dev.pinion.bootstrap.cli;

/** Ends a command with an exit status and one sentence. */
final class CommandException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  CommandException(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
