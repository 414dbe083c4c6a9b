package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * A record could not be appended or forced for want of room on the disk, or of a file descriptor
 * for the next segment. The log is intact and goes on when there is one; what was refused was not
 * appended, and what waits to be forced still waits.
 */
public final class JournalFullException extends IOException {
  /** Says what was missing. */
  public JournalFullException(ShortageException cause) {
    super(cause.getMessage(), cause);
  }
}
