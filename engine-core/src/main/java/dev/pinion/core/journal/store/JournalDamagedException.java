package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * A log that is not as it was written: opening it would lose or invent records. Nothing was changed
 * on disk.
 */
public final class JournalDamagedException extends IOException {
  private final String file;
  private final long offset;

  /**
   * Damage.
   *
   * @param file the file concerned, with its directory
   * @param offset offset in it, in bytes
   * @param found "expected ..., found ..."
   */
  public JournalDamagedException(String file, long offset, String found) {
    this(
        file,
        offset,
        found,
        "restore the directory from a copy; only without one, a repair by a cut before this place"
            + " (bin/pinion journal repair) drops every record from there on, sound ones too,"
            + " and lists them");
  }

  private JournalDamagedException(String file, long offset, String found, String advice) {
    super(found + ", in " + file + " at offset " + offset + "; nothing was changed: " + advice);
    this.file = file;
    this.offset = offset;
  }

  /**
   * An anchor that is older than a log whose records are whole, as when a copy was restored.
   *
   * @param file the anchor
   * @param found "expected ..., found ..."
   * @param last the last record of the log
   */
  static JournalDamagedException olderAnchor(String file, String found, long last) {
    return new JournalDamagedException(
        file,
        0,
        found,
        "the anchor is older than the records, which are whole: put the newest anchor back; without"
            + " one, bin/pinion journal repair --keep "
            + last
            + " writes a new one and drops nothing");
  }

  /**
   * An anchor and records that do not belong together, without evidence which is wrong.
   *
   * @param file the file that holds the record
   * @param offset offset in it, in bytes
   * @param found "expected ..., found ..."
   */
  static JournalDamagedException mixedCopies(String file, long offset, String found) {
    return new JournalDamagedException(
        file,
        offset,
        found,
        "anchor and segments are of different copies: restore the whole directory from one copy");
  }

  /** The file concerned, with its directory. */
  public String file() {
    return file;
  }

  /** Offset in the file, in bytes. */
  public long offset() {
    return offset;
  }
}
