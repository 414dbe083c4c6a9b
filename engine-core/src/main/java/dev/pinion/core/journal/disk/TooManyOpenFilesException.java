package dev.pinion.core.journal.disk;

/** The process, or the whole system, has reached its limit of open files. */
public final class TooManyOpenFilesException extends ResourceExhaustedException {
  /**
   * No free descriptor.
   *
   * @param what attempted operation and place
   */
  public TooManyOpenFilesException(String what, Throwable cause) {
    super(
        "expected a free file descriptor, found none: "
            + what
            + "; raise the limit of open files (ulimit -n)",
        cause);
  }
}
