package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.ResourceExhaustedException;
import java.io.IOException;

/**
 * A record could not be appended or forced for lack of room on the disk, or of a file descriptor
 * for the next segment. The log is intact and continues when there is one; a refused record was not
 * appended, and records that wait to be forced still wait.
 */
public final class JournalFullException extends IOException {
  /** An error that names the shortage. */
  public JournalFullException(ResourceExhaustedException cause) {
    super(cause.getMessage(), cause);
  }
}
