package dev.pinion.core.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file mapped into memory. Written bytes survive the end of the process at once, and a loss of
 * power after {@link #force} at the latest.
 */
public interface StorageMapping extends Closeable {
  /** Copies all remaining bytes of the source into the file; no system call. */
  void write(ByteBuffer source, int offset) throws IOException;

  /** Forces everything written, so that it survives a loss of power. */
  void force() throws IOException;
}
