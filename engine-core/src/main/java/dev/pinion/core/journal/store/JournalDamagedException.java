package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * A log is not what was written: opening it would lose or invent records. Nothing was changed on
 * disk.
 */
public final class JournalDamagedException extends IOException {
  private final String file;
  private final long offset;

  /**
   * Damage.
   *
   * @param file the file concerned, with its directory
   * @param offset where in it, in bytes
   * @param found "expected ..., found ..."
   */
  public JournalDamagedException(String file, long offset, String found) {
    super(
        found
            + ", in "
            + file
            + " at offset "
            + offset
            + "; nothing was changed: restore the directory from a copy, or repair it by a cut"
            + " before this place, which says what it drops");
    this.file = file;
    this.offset = offset;
  }

  /** The file concerned, with its directory. */
  public String file() {
    return file;
  }

  /** Where in the file, in bytes. */
  public long offset() {
    return offset;
  }
}
