package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * Goes through every record of a segment whose checksum matches, past damage and whatever order
 * they are in. For looking at a log, never for replaying it.
 */
final class SegmentWalk {
  private final RecordReader reader;
  private final long segmentBytes;
  private long offset;
  private long next = SegmentHeader.BYTES;
  private long skipped;

  SegmentWalk(StorageFile file, LogId id) throws IOException {
    this.segmentBytes = file.size();
    this.reader = new RecordReader(file, id, segmentBytes);
  }

  /** Goes on to the next record, over what is none. */
  boolean next() throws IOException {
    skipped = 0;
    for (long at = next; at < segmentBytes; at += RecordFormat.ALIGNMENT) {
      if (reader.read(at) == RecordReader.Found.RECORD) {
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

  /** Where the record begins. */
  long offset() {
    return offset;
  }

  /** How many bytes before it are no record. */
  long skipped() {
    return skipped;
  }

  /** Where the last record found ends. */
  long end() {
    return next;
  }
}
