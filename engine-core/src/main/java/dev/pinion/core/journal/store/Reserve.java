package dev.pinion.core.journal.store;

import java.io.IOException;

/**
 * A file of zeros that occupies room on the disk until a snapshot needs it: otherwise a disk that
 * others have filled up leaves no room for a snapshot that releases segments. One thread from time
 * to time.
 */
final class Reserve {
  private static final String UNFINISHED = FileNames.RESERVE + FileNames.PREPARING;

  private final Storage storage;
  private final int bytes;

  Reserve(Storage storage, int bytes) {
    this.storage = storage;
    this.bytes = bytes;
  }

  /**
   * Occupies the room, unless that is done.
   *
   * @throws ShortageException when there is none; nothing has changed
   */
  void take() throws IOException {
    if (storage.list().contains(FileNames.RESERVE)) {
      return;
    }
    delete(UNFINISHED);
    try (StorageFile file = storage.create(UNFINISHED)) {
      file.preallocate(bytes);
      file.force();
    } catch (IOException e) {
      delete(UNFINISHED);
      throw e;
    }
    storage.rename(UNFINISHED, FileNames.RESERVE);
  }

  /** Releases the room; returns whether there was any. */
  boolean release() throws IOException {
    return delete(FileNames.RESERVE);
  }

  private boolean delete(String name) throws IOException {
    boolean found = storage.list().contains(name);
    if (found) {
      storage.delete(name);
    }
    return found;
  }
}
