package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * A record could not be appended or forced for want of room on the disk. The log is intact and goes
 * on when there is room; what was refused was not appended, and what waits to be forced still
 * waits.
 */
public final class JournalFullException extends IOException {
  /** Says where there was no room. */
  public JournalFullException(NoSpaceException cause) {
    super(cause.getMessage(), cause);
  }
}
