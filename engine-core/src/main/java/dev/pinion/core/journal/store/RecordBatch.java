package dev.pinion.core.journal.store;

import java.nio.ByteBuffer;

/**
 * Encoded records in memory on their way to the segment. Single-threaded; allocates nothing, except
 * for a record that is larger than the whole batch.
 */
final class RecordBatch {
  private static final long NO_PADDING = 0;

  private final ByteBuffer kept;
  private ByteBuffer buffer;

  /** The same memory with a separate position, which a failed write leaves anywhere. */
  private ByteBuffer view;

  private final LogChecksum logChecksum;
  private int bytes;

  RecordBatch(int capacity, LogId id) {
    this.kept = allocate(capacity);
    this.buffer = kept;
    this.view = buffer.duplicate();
    this.logChecksum = new LogChecksum(id);
  }

  private static ByteBuffer allocate(int capacity) {
    // one record's padding may be cleared eight bytes at a time beyond its payload
    return ByteBuffer.allocateDirect(capacity + RecordFormat.ALIGNMENT);
  }

  /** Whether a record fits without exceeding the intended size of the batch. */
  boolean fits(int size) {
    return size <= buffer.capacity() - RecordFormat.ALIGNMENT - bytes;
  }

  /**
   * Adds a record that fits, or any record when there is none yet.
   *
   * @param previous the checksum of the record before
   * @return the checksum of this record
   */
  int add(
      long position,
      long forced,
      int previous,
      int partition,
      int epoch,
      byte kind,
      ByteBuffer payload) {
    int begin = bytes;
    int length = RecordFormat.HEADER + payload.remaining();
    int size = RecordFormat.aligned(length);
    if (bytes == 0 && !fits(size)) {
      buffer = allocate(size);
      view = buffer.duplicate();
    }
    buffer.putInt(begin + RecordFormat.LENGTH, length);
    buffer.putLong(begin + RecordFormat.POSITION, position);
    buffer.putLong(begin + RecordFormat.FORCED, forced);
    buffer.putInt(begin + RecordFormat.PREVIOUS, previous);
    buffer.putInt(begin + RecordFormat.EPOCH, epoch);
    buffer.putShort(begin + RecordFormat.PARTITION, (short) partition);
    buffer.put(begin + RecordFormat.KIND, kind);
    buffer.put(begin + RecordFormat.RESERVED, (byte) 0);
    buffer.put(begin + RecordFormat.HEADER, payload, payload.position(), payload.remaining());
    buffer.putLong(begin + length, NO_PADDING);
    bytes = begin + size;
    return logChecksum.seal(buffer, begin, size);
  }

  int bytes() {
    return bytes;
  }

  /** The added records, to be written; valid until the next addition. */
  ByteBuffer content() {
    return view.clear().limit(bytes);
  }

  void clear() {
    bytes = 0;
    if (buffer.capacity() > kept.capacity()) {
      buffer = kept;
      view = buffer.duplicate();
    }
  }
}
