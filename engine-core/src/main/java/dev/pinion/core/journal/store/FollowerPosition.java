package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Last record that a follower of a log no longer needs, as it reports to the writer: eight bytes in
 * the file {@link LogFileNames#READERS}. It is not forced: after a loss of power an older one is
 * found.
 */
final class FollowerPosition {
  private FollowerPosition() {}

  static void write(Storage storage, long position) throws IOException {
    try (StorageFile file = storage.open(LogFileNames.READERS)) {
      file.write(ByteBuffer.allocate(Long.BYTES).putLong(position).flip(), 0);
    }
  }

  /** The record, or 0 without a report. */
  static long read(Storage storage) throws IOException {
    ByteBuffer mark = ByteBuffer.allocate(Long.BYTES);
    try (StorageFile file = storage.openToRead(LogFileNames.READERS)) {
      return file.read(mark, 0) < Long.BYTES ? 0 : Math.max(0, mark.flip().getLong());
    }
  }
}
