package dev.pinion.bootstrap.cli;

/** Exit statuses of all commands; those from 64 on are those of {@code sysexits.h}. */
public final class ExitStatus {
  /** Success. */
  public static final int OK = 0;

  /** The operation failed. */
  public static final int FAILURE = 1;

  /** The command line is invalid. */
  public static final int USAGE = 2;

  /** The input is invalid. */
  public static final int DATA = 65;

  /** A file cannot be read. */
  public static final int NO_INPUT = 66;

  /** The engine cannot be reached. */
  public static final int UNAVAILABLE = 69;

  /** Footer of each help text. */
  public static final String FOOTER =
      "%nExit status: 0 done, 1 the operation failed, 2 wrong usage, 65 invalid definition or"
          + " input,%n66 a file cannot be read, 69 the engine cannot be reached.";

  private ExitStatus() {}
}
