package dev.pinion.core.journal.store;

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
   * @param offset where in the file to begin, in bytes
   * @return how many bytes were read, 0 at the end of the file
   */
  int read(ByteBuffer target, long offset) throws IOException;

  /**
   * Writes all that remains in the source.
   *
   * @param offset where in the file to begin, in bytes
   * @throws NoSpaceException when the disk is full; a part may have been written
   */
  void write(ByteBuffer source, long offset) throws IOException;

  /**
   * Makes an empty file so many zeros long, with blocks of its own behind every byte, so that later
   * writes into it need no room.
   *
   * @throws NoSpaceException when the disk is full; a part may have been written
   */
  void preallocate(long bytes) throws IOException;

  /** Returns when everything written to the file survives a loss of power. */
  void force() throws IOException;
}
