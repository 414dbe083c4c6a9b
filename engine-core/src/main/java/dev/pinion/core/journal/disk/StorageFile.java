package dev.pinion.core.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a {@link Storage}. Used by one thread at a time. */
public interface StorageFile extends Closeable {
  /** Its length in bytes. */
  long size() throws IOException;

  /**
   * Reads until the target is full or the file ends.
   *
   * @param offset first byte in the file
   * @return number of bytes read, 0 at the end of the file
   */
  int read(ByteBuffer target, long offset) throws IOException;

  /**
   * Writes all remaining bytes of the source.
   *
   * @param offset first byte in the file
   * @throws NoSpaceException when the disk is full; a part may have been written
   */
  void write(ByteBuffer source, long offset) throws IOException;

  /**
   * Extends an empty file with so many zeros, with allocated blocks behind every byte, so that
   * later writes into it need no room.
   *
   * @throws NoSpaceException when the disk is full; a part may have been written
   */
  void preallocate(long bytes) throws IOException;

  /** Forces everything written to the file, so that it survives a loss of power. */
  void force() throws IOException;
}
