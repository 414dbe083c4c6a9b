package dev.pinion.core.journal.store;

import java.io.IOException;

/** Somebody else holds the lock of a log. */
public final class LogLockedException extends IOException {
  private final String holder;

  /**
   * A lock that is held.
   *
   * @param place the lock file
   * @param holder who holds it, as written there; empty when unknown
   */
  public LogLockedException(String place, String holder) {
    super(
        "expected nobody else to have the log open, found "
            + (holder.isEmpty() ? "an unknown process" : "process " + holder)
            + " with a lock on "
            + place
            + "; stop it first, or name another directory");
    this.holder = holder;
  }

  /** Who holds the lock: a process id; empty when unknown. */
  public String holder() {
    return holder;
  }
}
