package dev.pinion.core.journal.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC32C, salted with the identity of the log. Every structure on disk begins with its checksum,
 * which covers the rest of it, including padding. Single-threaded; allocates nothing per use.
 */
final class LogChecksum {
  /** Bytes of a checksum, at the beginning of the structure. */
  static final int BYTES = 4;

  private final CRC32C crc = new CRC32C();
  private final byte[] salt;

  LogChecksum(LogId id) {
    this.salt = id.bytes();
  }

  /** The checksum of a structure; the buffer is left cleared. */
  int of(ByteBuffer buffer, int begin, int size) {
    crc.reset();
    crc.update(salt, 0, salt.length);
    buffer.limit(begin + size).position(begin + BYTES);
    crc.update(buffer);
    buffer.clear();
    return (int) crc.getValue();
  }

  /** Writes the checksum of a structure at its beginning and returns it. */
  int seal(ByteBuffer buffer, int begin, int size) {
    int value = of(buffer, begin, size);
    buffer.putInt(begin, value);
    return value;
  }

  /** Whether a structure matches its checksum. */
  boolean holds(ByteBuffer buffer, int begin, int size) {
    return buffer.getInt(begin) == of(buffer, begin, size);
  }
}
