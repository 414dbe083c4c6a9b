package dev.pinion.bootstrap.cli;

/** Ends a command with an exit status and one sentence. */
public final class CommandException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  public CommandException(int status, String message) {
    super(message);
    this.status = status;
  }

  public int status() {
    return status;
  }
}
