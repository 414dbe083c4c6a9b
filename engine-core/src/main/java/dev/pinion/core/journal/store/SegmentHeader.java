package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Header of a segment: one sector, forced before the segment gets its name, so that every existing
 * segment has a whole one.
 *
 * @param number 1, 2, 3 ... without gaps
 * @param firstPosition the position of its first record
 * @param chain the checksum of the record before that one; 0 before the first record of the log
 * @param segmentBytes the length of the file
 */
record SegmentHeader(long number, long firstPosition, int chain, long segmentBytes) {
  /** Bytes of a header: a whole sector, which no record shares. */
  static final int BYTES = 512;

  private static final long MAGIC = 0x50494e4a5345474dL;
  private static final int MAGIC_AT = 4;
  private static final int VERSION_AT = 12;
  private static final int ID_AT = 16;
  private static final int NUMBER_AT = 32;
  private static final int FIRST_AT = 40;
  private static final int SIZE_AT = 48;
  private static final int CHAIN_AT = 56;

  /** The header in its form on disk. */
  ByteBuffer encoded(LogId id) {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    buffer.putLong(MAGIC_AT, MAGIC);
    buffer.putInt(VERSION_AT, LogFormat.VERSION);
    buffer.putLong(ID_AT, id.high()).putLong(ID_AT + Long.BYTES, id.low());
    buffer.putLong(NUMBER_AT, number);
    buffer.putLong(FIRST_AT, firstPosition);
    buffer.putLong(SIZE_AT, segmentBytes);
    buffer.putInt(CHAIN_AT, chain);
    new LogChecksum(id).seal(buffer, 0, BYTES);
    return buffer;
  }

  /**
   * Reads and checks the header of a segment, and the length of its file.
   *
   * @throws JournalDamagedException when the file is not the whole of that segment of that log
   */
  static SegmentHeader read(Storage storage, LogId id, long number) throws IOException {
    String name = LogFileNames.segment(number);
    try (StorageFile file = storage.openToRead(name)) {
      ByteBuffer buffer = ByteBuffer.allocate(BYTES);
      int read = file.read(buffer, 0);
      String flaw = read < BYTES ? "a file of " + read + " bytes" : flaw(buffer.clear(), id);
      if (flaw != null) {
        throw new JournalDamagedException(
            storage.location(name),
            0,
            "expected the header of segment " + number + " of log " + id + ", found " + flaw);
      }
      SegmentHeader header = decoded(buffer);
      header.checkNumber(storage, number);
      header.checkSize(storage, file.size());
      return header;
    }
  }

  private static @Nullable String flaw(ByteBuffer buffer, LogId id) {
    if (buffer.getLong(MAGIC_AT) != MAGIC) {
      return "no header of a segment";
    }
    LogId found = new LogId(buffer.getLong(ID_AT), buffer.getLong(ID_AT + Long.BYTES));
    if (!found.equals(id)) {
      return "a segment of log " + found;
    }
    return new LogChecksum(id).holds(buffer, 0, BYTES) ? null : "a checksum that does not match";
  }

  private static SegmentHeader decoded(ByteBuffer buffer) {
    return new SegmentHeader(
        buffer.getLong(NUMBER_AT),
        buffer.getLong(FIRST_AT),
        buffer.getInt(CHAIN_AT),
        buffer.getLong(SIZE_AT));
  }

  private void checkNumber(Storage storage, long expected) throws JournalDamagedException {
    if (number != expected) {
      throw new JournalDamagedException(
          storage.location(LogFileNames.segment(expected)),
          NUMBER_AT,
          "expected segment " + expected + " by the name of the file, found segment " + number);
    }
  }

  private void checkSize(Storage storage, long size) throws JournalDamagedException {
    if (size != segmentBytes) {
      throw new JournalDamagedException(
          storage.location(LogFileNames.segment(number)),
          Math.min(size, segmentBytes),
          "expected a segment of " + segmentBytes + " bytes, found " + size);
    }
  }
}
