package dev.pinion.core.journal.store;

import java.nio.ByteBuffer;

/**
 * A snapshot on disk: a header of one sector, entries padded to multiples of eight bytes, and a
 * last entry without payload whose index is their number. Each begins with its checksum; entries
 * are chained like records.
 *
 * <pre>
 *  0 checksum
 *  4 length of header and payload, without padding
 *  8 index: 0, 1, 2 ...
 * 16 checksum of the entry before; of the header for the first
 * 20 partition
 * 22 kind
 * 23 1 for the last entry, 0 for others
 * 24 payload
 * </pre>
 */
final class SnapshotFormat {
  static final int HEADER_BYTES = 512;
  static final int LENGTH = 4;
  static final int INDEX = 8;
  static final int PREVIOUS = 16;
  static final int PARTITION = 20;
  static final int KIND = 22;
  static final int LAST = 23;
  static final int ENTRY_HEADER = 24;

  static final long MAGIC = 0x50494e4a534e4150L;
  static final int MAGIC_AT = 4;
  static final int VERSION_AT = 12;
  static final int ID_AT = 16;
  static final int POSITION_AT = 32;
  static final int CHAIN_AT = 40;

  private SnapshotFormat() {}

  /** The header of a snapshot in its form on disk. */
  static ByteBuffer header(LogId id, long position, int chain) {
    ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES);
    buffer.putLong(MAGIC_AT, MAGIC);
    buffer.putInt(VERSION_AT, LogFormat.VERSION);
    buffer.putLong(ID_AT, id.high()).putLong(ID_AT + Long.BYTES, id.low());
    buffer.putLong(POSITION_AT, position);
    buffer.putInt(CHAIN_AT, chain);
    new LogChecksum(id).seal(buffer, 0, HEADER_BYTES);
    return buffer;
  }

  /** Bytes on disk of an entry with a payload of so many bytes. */
  static int size(int payloadBytes) {
    return RecordFormat.aligned(ENTRY_HEADER + payloadBytes);
  }
}
