package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.ResourceExhaustedException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.ZeroFill;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next segment, created before its use: real zeros, forced. It is also the reserve of a full
 * disk: running work continues in it when nothing new is admitted. It is kept open, so that
 * continuing needs no file descriptor either.
 *
 * <p>{@link #prepare} may be called by one other thread while the owner appends; the owner waits in
 * {@link #take} meanwhile.
 */
final class PreallocatedSegment implements Closeable {
  private static final String UNFINISHED = LogFileNames.SPARE + LogFileNames.PREPARING;

  private final Storage storage;
  private final LogId id;
  private final int segmentBytes;
  private @Nullable StorageFile file;
  private boolean closed;
  private volatile boolean ready;

  PreallocatedSegment(Storage storage, LogId id, int segmentBytes) {
    this.storage = storage;
    this.id = id;
    this.segmentBytes = segmentBytes;
  }

  /** Whether there is one. Any thread. */
  boolean isReady() {
    return ready;
  }

  /** Uses the spare that an earlier process left, if it is whole, and removes it otherwise. */
  synchronized void examine() throws IOException {
    List<String> names = storage.list();
    if (!names.contains(LogFileNames.SPARE)) {
      return;
    }
    StorageFile found = storage.open(LogFileNames.SPARE);
    if (found.size() == segmentBytes
        && ZeroFill.lastNonZero(found, SegmentHeader.BYTES, segmentBytes) < 0) {
      keep(found);
    } else {
      found.close();
      storage.delete(LogFileNames.SPARE);
    }
  }

  private void keep(StorageFile whole) {
    file = whole;
    ready = true;
  }

  /**
   * Creates a spare unless there is one.
   *
   * @throws ResourceExhaustedException when there is no room or no file descriptor; try again later
   */
  synchronized void prepare() throws IOException {
    if (ready || closed) {
      return;
    }
    if (storage.list().contains(UNFINISHED)) {
      storage.delete(UNFINISHED);
    }
    StorageFile made = storage.create(UNFINISHED);
    try {
      made.preallocate(segmentBytes);
      made.force();
      storage.rename(UNFINISHED, LogFileNames.SPARE);
      storage.forceDirectory();
    } catch (IOException e) {
      discard(made, e);
      throw e;
    }
    keep(made);
  }

  /** Releases the room of an unfinished spare. */
  private void discard(StorageFile unfinished, IOException cause) {
    try (unfinished) {
      List<String> names = storage.list();
      for (String name : List.of(UNFINISHED, LogFileNames.SPARE)) {
        if (names.contains(name)) {
          storage.delete(name);
        }
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Turns the spare into a segment; creates a spare first when there is none. The caller forces the
   * directory, after which the segment is durable.
   *
   * @throws ResourceExhaustedException when there is no room or no file descriptor; nothing has
   *     changed
   */
  synchronized StorageFile take(SegmentHeader header) throws IOException {
    prepare();
    StorageFile taken = file;
    if (taken == null) {
      throw new IllegalStateException("expected the spare of an open log, found it closed");
    }
    taken.write(header.encoded(id), 0);
    taken.force();
    storage.rename(LogFileNames.SPARE, LogFileNames.segment(header.number()));
    file = null;
    ready = false;
    return taken;
  }

  /** Closes the file; it stays for the next opening. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    ready = false;
    StorageFile kept = file;
    file = null;
    if (kept != null) {
      kept.close();
    }
  }
}
