package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.ResourceExhaustedException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of zeros that occupies room on the disk until it is needed: without it a disk that others
 * have filled has no room even for deletions. One thread from time to time.
 */
public final class DiskReserve {
  /** Most bytes taken in one call, since the caller has more to do. */
  private static final long MOST_AT_ONCE = 16L << 20;

  private static final int CHUNK = 1 << 20;

  private final Storage storage;
  private final long mostAtOnce;

  /** The reserve in a directory. */
  public DiskReserve(Storage storage) {
    this(storage, MOST_AT_ONCE);
  }

  /** A reserve that is taken in parts of a given size. */
  DiskReserve(Storage storage, long mostAtOnce) {
    this.storage = storage;
    this.mostAtOnce = mostAtOnce;
  }

  /** Bytes of reserved room; 0 for none. */
  public long size() throws IOException {
    if (!storage.list().contains(LogFileNames.RESERVE)) {
      return 0;
    }
    try (StorageFile file = storage.openToRead(LogFileNames.RESERVE)) {
      return file.size();
    }
  }

  /**
   * Reserves room, a part of it when it is large: call it again from time to time. Releases a
   * reserve of more than twice the size first.
   *
   * @param bytes size of the whole reserve
   * @throws ResourceExhaustedException when there is no room; nothing is reserved then
   */
  public void take(long bytes) throws IOException {
    long size = size();
    if (size > 2 * bytes) {
      release();
      size = 0;
    }
    if (size < bytes) {
      extend(size, Math.min(bytes, size + mostAtOnce));
    }
  }

  private void extend(long from, long to) throws IOException {
    try (StorageFile file =
        from == 0 ? storage.create(LogFileNames.RESERVE) : storage.open(LogFileNames.RESERVE)) {
      ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(CHUNK, to - from));
      for (long offset = from; offset < to; offset += CHUNK) {
        file.write(zeros.clear().limit((int) Math.min(CHUNK, to - offset)), offset);
        file.force();
      }
    } catch (IOException e) {
      release();
      throw e;
    }
  }

  /** Releases the room; returns whether there was any. */
  public boolean release() throws IOException {
    boolean found = storage.list().contains(LogFileNames.RESERVE);
    if (found) {
      storage.delete(LogFileNames.RESERVE);
    }
    return found;
  }
}
