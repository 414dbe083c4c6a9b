package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * A directory that is no log, or one that this version must not open. Nothing was changed on disk.
 */
public final class JournalFormatException extends IOException {
  /** An error that says what was expected, what was found, where, and what to do. */
  public JournalFormatException(String message) {
    super(message);
  }
}
