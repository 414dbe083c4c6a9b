package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;

/**
 * Iterates over every record of a segment whose checksum matches, past damage and in any order. For
 * showing a log, never for replaying it.
 */
final class SalvageScan {
  private final RecordReader reader;
  private final long segmentBytes;
  private long offset;
  private long next = SegmentHeader.BYTES;
  private long skipped;

  SalvageScan(StorageFile file, LogId id) throws IOException {
    this.segmentBytes = file.size();
    this.reader = new RecordReader(file, id, segmentBytes);
  }

  /** Moves to the next record, skipping bytes that are none. */
  boolean next() throws IOException {
    skipped = 0;
    for (long at = next; at < segmentBytes; at += RecordFormat.ALIGNMENT) {
      if (reader.read(at) == RecordReader.RecordStatus.RECORD) {
        skipped = at - next;
        offset = at;
        next = at + reader.size();
        return true;
      }
    }
    return false;
  }

  RecordReader record() {
    return reader;
  }

  /** Offset of the record. */
  long offset() {
    return offset;
  }

  /** Number of bytes before it that are no record. */
  long skipped() {
    return skipped;
  }

  /** End of the last record found. */
  long end() {
    return next;
  }
}
