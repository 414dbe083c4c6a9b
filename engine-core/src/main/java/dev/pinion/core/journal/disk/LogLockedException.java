package dev.pinion.core.journal.disk;

import java.io.IOException;

/** The lock of a log is held by another process or opening. */
public final class LogLockedException extends IOException {
  private final String holder;

  /**
   * A lock that is held.
   *
   * @param place the lock file
   * @param holder holder as written in it; empty when unknown
   */
  public LogLockedException(String place, String holder) {
    super(
        "expected a log that is not open, found "
            + (holder.isEmpty() ? "an unknown process" : "process " + holder)
            + " with a lock on "
            + place
            + "; stop it first, or name another directory");
    this.holder = holder;
  }

  /** Holder of the lock: a process id; empty when unknown. */
  public String holder() {
    return holder;
  }
}
