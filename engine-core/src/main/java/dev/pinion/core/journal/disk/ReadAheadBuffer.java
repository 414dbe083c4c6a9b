package dev.pinion.core.journal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A part of a file in memory, moved as it is read. Grows to the longest structure asked for. */
public final class ReadAheadBuffer {
  /** Bytes read at a time. */
  public static final int READ_AHEAD = 256 << 10;

  private final StorageFile file;
  private ByteBuffer buffer;
  private long start;
  private int filled;

  public ReadAheadBuffer(StorageFile file, long fileBytes) {
    this.file = file;
    this.buffer = ByteBuffer.allocateDirect((int) Math.min(READ_AHEAD, fileBytes));
  }

  /**
   * Brings bytes of the file into the buffer.
   *
   * @return their index in the buffer, or -1 when the file ends before them
   */
  public int bufferOffset(long offset, int bytes) throws IOException {
    if (offset < start || offset + bytes > start + filled) {
      if (bytes > buffer.capacity()) {
        buffer = ByteBuffer.allocateDirect(bytes);
      }
      start = offset;
      filled = file.read(buffer.clear(), offset);
      buffer.clear();
    }
    return offset + bytes <= start + filled ? (int) (offset - start) : -1;
  }

  /** Discards the buffered bytes. */
  public void clear() {
    filled = 0;
  }

  /** The buffer; indexes are those of {@link #bufferOffset}, until its next call. */
  public ByteBuffer buffer() {
    return buffer;
  }
}
