package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageLock;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.function.IntPredicate;

/**
 * Reads a log of another writer, running or gone, without its lock and without changing it. While
 * it is open, the writer deletes nothing. Single-threaded.
 *
 * <p>It reads everything that may have been acknowledged: all records up to the anchor and the
 * whole records after it. A batch that the writer is about to write may be missing.
 */
public final class JournalReader implements Closeable {
  /** Most inspections of a log whose writer is working. */
  static final int MAX_INSPECTIONS = 100;

  private final Storage storage;
  private final StorageLock lock;
  private final InspectedLog state;

  private JournalReader(Storage storage, StorageLock lock, InspectedLog state) {
    this.storage = storage;
    this.lock = lock;
    this.state = state;
  }

  /**
   * Opens a log for reading and checks it as its writer would.
   *
   * @throws JournalFormatException when there is no log, or one of an unknown version
   * @throws JournalDamagedException when it is not as it was written
   */
  public static JournalReader open(Storage storage) throws IOException {
    if (LogCreation.isDue(storage)) {
      throw new JournalFormatException(
          "expected a journal, found no " + storage.location(LogFileNames.FORMAT));
    }
    StorageLock lock = storage.lockShared(LogFileNames.READERS);
    try {
      return new JournalReader(storage, lock, inspect(storage));
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Inspects the log. A writer at work looks like damage when its files are read at different
   * times, but it moves the anchor then; so only damage is reported that persists while the anchor
   * stays the same.
   */
  private static InspectedLog inspect(Storage storage) throws IOException {
    for (int look = 1; ; look++) {
      long before = anchorSequence(storage);
      try {
        return LogInspection.inspect(storage);
      } catch (JournalDamagedException e) {
        if (look == MAX_INSPECTIONS || anchorSequence(storage) == before) {
          throw e;
        }
      }
    }
  }

  private static long anchorSequence(Storage storage) throws IOException {
    LogFormat format = LogFormat.read(storage);
    return ForcedPosition.read(storage, format.id(), new ArrayList<>()).sequence();
  }

  /** The last record that {@link #replay} reaches. */
  public long position() {
    return state.position();
  }

  /** The identity of the log. */
  public LogId log() {
    return state.format().id();
  }

  /** Number of partitions that its records may name. */
  public int partitions() {
    return state.format().partitions();
  }

  /**
   * Streams the content at the time of opening: snapshot, then records.
   *
   * @param partitions partitions whose entries and records the visitor gets
   */
  public void replay(IntPredicate partitions, RecordVisitor visitor) throws IOException {
    new LogReplay(storage, state, partitions, visitor).run();
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
