package dev.pinion.core.journal.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads records of one segment at given offsets. Single-threaded. */
final class RecordReader {
  /** Content at an offset. */
  enum Found {
    /** A record whose checksum matches; the accessors describe it until the next read. */
    RECORD,
    /** Zeros where the header of a record would be, or the end of the segment. */
    NOTHING,
    /** Bytes that are no record. */
    BAD
  }

  private final Window window;
  private final Checksum checksum;
  private final long segmentBytes;
  private ByteBuffer buffer;
  private int begin;

  RecordReader(StorageFile file, LogId id, long segmentBytes) {
    this.window = new Window(file, segmentBytes);
    this.buffer = window.buffer();
    this.checksum = new Checksum(id);
    this.segmentBytes = segmentBytes;
  }

  /** Discards bytes that were read ahead: the writer may have written there since. */
  void refresh() {
    window.clear();
  }

  Found read(long offset) throws IOException {
    if (!look(offset)) {
      return Found.NOTHING;
    }
    int length = buffer.getInt(begin + RecordFormat.LENGTH);
    if (length == 0) {
      return isZero() ? Found.NOTHING : Found.BAD;
    }
    if (length < RecordFormat.HEADER
        || length > segmentBytes - offset
        || RecordFormat.aligned(length) > segmentBytes - offset) {
      return Found.BAD;
    }
    int size = RecordFormat.aligned(length);
    begin = window.at(offset, size);
    buffer = window.buffer();
    return begin >= 0
            && checksum.holds(buffer, begin, size)
            && buffer.get(begin + RecordFormat.RESERVED) == 0
        ? Found.RECORD
        : Found.BAD;
  }

  /**
   * Whether there seems to be a whole record at an offset that was written after a position was
   * forced.
   */
  boolean claimsForced(long offset, long bad) throws IOException {
    if (!look(offset)) {
      return false;
    }
    long forced = forced();
    return forced >= bad && forced < position();
  }

  private boolean look(long offset) throws IOException {
    if (segmentBytes - offset < RecordFormat.HEADER) {
      return false;
    }
    begin = window.at(offset, RecordFormat.HEADER);
    buffer = window.buffer();
    return begin >= 0;
  }

  private boolean isZero() {
    for (int i = 0; i < RecordFormat.HEADER; i++) {
      if (buffer.get(begin + i) != 0) {
        return false;
      }
    }
    return true;
  }

  int crc() {
    return buffer.getInt(begin);
  }

  int payloadBytes() {
    return buffer.getInt(begin + RecordFormat.LENGTH) - RecordFormat.HEADER;
  }

  int size() {
    return RecordFormat.size(payloadBytes());
  }

  long position() {
    return buffer.getLong(begin + RecordFormat.POSITION);
  }

  long forced() {
    return buffer.getLong(begin + RecordFormat.FORCED);
  }

  int previous() {
    return buffer.getInt(begin + RecordFormat.PREVIOUS);
  }

  int epoch() {
    return buffer.getInt(begin + RecordFormat.EPOCH);
  }

  int partition() {
    return buffer.getShort(begin + RecordFormat.PARTITION);
  }

  byte kind() {
    return buffer.get(begin + RecordFormat.KIND);
  }

  /** The payload, valid until the next read. */
  ByteBuffer payload() {
    return buffer.slice(begin + RecordFormat.HEADER, payloadBytes());
  }
}
