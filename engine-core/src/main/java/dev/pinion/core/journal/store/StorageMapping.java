package dev.pinion.core.journal.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file in memory. What is written here survives the end of the process at once and a loss of
 * power at some time: after {@link #force} at the latest.
 */
public interface StorageMapping extends Closeable {
  /** Copies all that remains in the source into the file; no system call. */
  void write(ByteBuffer source, int offset) throws IOException;

  /** Returns when everything written survives a loss of power. */
  void force() throws IOException;
}
