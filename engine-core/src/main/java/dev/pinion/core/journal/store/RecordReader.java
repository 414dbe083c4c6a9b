package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.ReadAheadBuffer;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads records of one segment at given offsets. Single-threaded. */
final class RecordReader {
  /** Content at an offset. */
  enum RecordStatus {
    /** A record whose checksum matches; the accessors describe it until the next read. */
    RECORD,
    /** Zeros where the header of a record would be, or the end of the segment. */
    NOTHING,
    /** Bytes that are no record. */
    BAD
  }

  private final ReadAheadBuffer readAheadBuffer;
  private final LogChecksum logChecksum;
  private final long segmentBytes;
  private ByteBuffer buffer;
  private int begin;

  RecordReader(StorageFile file, LogId id, long segmentBytes) {
    this.readAheadBuffer = new ReadAheadBuffer(file, segmentBytes);
    this.buffer = readAheadBuffer.buffer();
    this.logChecksum = new LogChecksum(id);
    this.segmentBytes = segmentBytes;
  }

  /** Discards bytes that were read ahead: the writer may have written there since. */
  void refresh() {
    readAheadBuffer.clear();
  }

  RecordStatus read(long offset) throws IOException {
    if (!decode(offset)) {
      return RecordStatus.NOTHING;
    }
    int length = buffer.getInt(begin + RecordFormat.LENGTH);
    if (length == 0) {
      return isZero() ? RecordStatus.NOTHING : RecordStatus.BAD;
    }
    if (length < RecordFormat.HEADER
        || length > segmentBytes - offset
        || RecordFormat.aligned(length) > segmentBytes - offset) {
      return RecordStatus.BAD;
    }
    int size = RecordFormat.aligned(length);
    begin = readAheadBuffer.bufferOffset(offset, size);
    buffer = readAheadBuffer.buffer();
    return begin >= 0
            && logChecksum.holds(buffer, begin, size)
            && buffer.get(begin + RecordFormat.RESERVED) == 0
        ? RecordStatus.RECORD
        : RecordStatus.BAD;
  }

  /**
   * Whether there seems to be a whole record at an offset that was written after a position was
   * forced.
   */
  boolean claimsForced(long offset, long bad) throws IOException {
    if (!decode(offset)) {
      return false;
    }
    long forced = forced();
    return forced >= bad && forced < position();
  }

  private boolean decode(long offset) throws IOException {
    if (segmentBytes - offset < RecordFormat.HEADER) {
      return false;
    }
    begin = readAheadBuffer.bufferOffset(offset, RecordFormat.HEADER);
    buffer = readAheadBuffer.buffer();
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
