package dev.pinion.core.journal.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of zeros that takes room on the disk until it is needed: without it a disk that others
 * have filled up leaves no room to give anything up. One thread from time to time.
 */
public final class Reserve {
  /** A call takes no more room than that, since the caller has more to do. */
  private static final long MOST_AT_ONCE = 16L << 20;

  private static final int CHUNK = 1 << 20;

  private final Storage storage;
  private final long mostAtOnce;

  /** The reserve in a directory. */
  public Reserve(Storage storage) {
    this(storage, MOST_AT_ONCE);
  }

  /** One that is taken in parts of a size. */
  Reserve(Storage storage, long mostAtOnce) {
    this.storage = storage;
    this.mostAtOnce = mostAtOnce;
  }

  /** The room that is taken, in bytes; 0 for none. */
  public long size() throws IOException {
    if (!storage.list().contains(FileNames.RESERVE)) {
      return 0;
    }
    try (StorageFile file = storage.openToRead(FileNames.RESERVE)) {
      return file.size();
    }
  }

  /**
   * Takes room, or a part of it when it is much: call it again from time to time. Gives up what is
   * more than twice as much.
   *
   * @param bytes how much is to be taken in the end
   * @throws ShortageException when there is none; nothing is taken any more
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
        from == 0 ? storage.create(FileNames.RESERVE) : storage.open(FileNames.RESERVE)) {
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

  /** Gives the room up; returns whether there was any. */
  public boolean release() throws IOException {
    boolean found = storage.list().contains(FileNames.RESERVE);
    if (found) {
      storage.delete(FileNames.RESERVE);
    }
    return found;
  }
}
