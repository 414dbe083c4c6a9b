package dev.pinion.core.program;

/** A program that this machine lacks. */
final class MissingProgramException extends Exception {
  private static final long serialVersionUID = 1;

  MissingProgramException(String message) {
    super(message);
  }
}
