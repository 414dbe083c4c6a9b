package dev.pinion.core.journal.store;

import java.io.IOException;
import java.util.List;

/**
 * The next segment, made ahead of its use: real zeros, forced. It is also the reserve of a full
 * disk: what goes on when nothing new is admitted goes on in there.
 *
 * <p>{@link #prepare} may be called by one helper thread while the owner appends; the owner waits
 * in {@link #take} while it is at work.
 */
final class Spare {
  private static final String UNFINISHED = FileNames.SPARE + FileNames.PREPARING;

  private final Storage storage;
  private final LogId id;
  private final int segmentBytes;
  private volatile boolean ready;

  Spare(Storage storage, LogId id, int segmentBytes) {
    this.storage = storage;
    this.id = id;
    this.segmentBytes = segmentBytes;
  }

  /** Whether there is one. Any thread. */
  boolean isReady() {
    return ready;
  }

  /** Uses the spare that an earlier opening left, if it is whole, and removes it otherwise. */
  synchronized void examine() throws IOException {
    List<String> names = storage.list();
    if (!names.contains(FileNames.SPARE)) {
      return;
    }
    boolean whole;
    try (StorageFile file = storage.openToRead(FileNames.SPARE)) {
      whole =
          file.size() == segmentBytes
              && Zeros.lastOther(file, SegmentHeader.BYTES, segmentBytes) < 0;
    }
    if (whole) {
      ready = true;
    } else {
      storage.delete(FileNames.SPARE);
    }
  }

  /**
   * Makes a spare unless there is one.
   *
   * @throws NoSpaceException when there is no room; try again later
   */
  synchronized void prepare() throws IOException {
    if (ready) {
      return;
    }
    if (storage.list().contains(UNFINISHED)) {
      storage.delete(UNFINISHED);
    }
    try (StorageFile file = storage.create(UNFINISHED)) {
      file.preallocate(segmentBytes);
      file.force();
    } catch (IOException e) {
      discard(e);
      throw e;
    }
    storage.rename(UNFINISHED, FileNames.SPARE);
    storage.forceDirectory();
    ready = true;
  }

  /** Gives back the room of what could not be finished. */
  private void discard(IOException cause) {
    try {
      if (storage.list().contains(UNFINISHED)) {
        storage.delete(UNFINISHED);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Turns the spare into a segment; makes one first when there is none. The caller forces the
   * directory, after which the segment is there for good.
   *
   * @throws NoSpaceException when there is no room; nothing has changed
   */
  synchronized StorageFile take(SegmentHeader header) throws IOException {
    prepare();
    StorageFile file = storage.open(FileNames.SPARE);
    try {
      file.write(header.encoded(id), 0);
      file.force();
      storage.rename(FileNames.SPARE, FileNames.segment(header.number()));
    } catch (IOException e) {
      file.close();
      throw e;
    }
    ready = false;
    return file;
  }
}
