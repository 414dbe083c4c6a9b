package dev.pinion.core.journal.store;

/** The process, or the whole system, has as many open files as it may have. */
public final class NoDescriptorException extends ShortageException {
  /**
   * No free descriptor.
   *
   * @param what what was being done, and where
   */
  public NoDescriptorException(String what, Throwable cause) {
    super(
        "expected a free file descriptor, found none: "
            + what
            + "; raise the limit of open files (ulimit -n)",
        cause);
  }
}
