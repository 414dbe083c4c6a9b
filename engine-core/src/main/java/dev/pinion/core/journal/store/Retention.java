package dev.pinion.core.journal.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Gives up segments and snapshots that a newer snapshot replaces: exactly those, because a second
 * set would double the disk and still not help against what damages both. Copies are made by
 * backups.
 *
 * <p>The owner tells what there is; {@link #deleteObsolete} may run on one helper thread. Files are
 * deleted oldest first, and only while nobody reads.
 */
final class Retention {
  private final Storage storage;
  private final ConcurrentSkipListMap<Long, Long> firstPositions = new ConcurrentSkipListMap<>();
  private volatile long snapshot;

  Retention(Storage storage) {
    this.storage = storage;
  }

  /** A segment came into use. */
  void segment(long number, long firstPosition) {
    firstPositions.put(number, firstPosition);
  }

  /** A snapshot was adopted: what is at or below its position is not needed any more. */
  void snapshot(long position) {
    snapshot = position;
  }

  /**
   * Deletes what is not needed.
   *
   * @return whether nothing is left to delete; false when somebody reads, so try again later
   */
  synchronized boolean deleteObsolete() throws IOException {
    List<String> names = obsolete();
    if (names.isEmpty()) {
      return true;
    }
    try (StorageLock _ = storage.lock(FileNames.READERS, "")) {
      for (String name : names) {
        storage.delete(name);
        firstPositions.remove(FileNames.segmentNumber(name));
      }
      return true;
    } catch (LogLockedException _) {
      return false;
    }
  }

  private List<String> obsolete() throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : storage.list()) {
      if (isObsoleteSegment(FileNames.segmentNumber(name))
          || isObsoleteSnapshot(FileNames.snapshotPosition(name))) {
        names.add(name);
      }
    }
    return names;
  }

  /** A segment is needed when the one after it begins later than right after the snapshot. */
  private boolean isObsoleteSegment(long number) {
    if (number < 0) {
      return false;
    }
    Map.Entry<Long, Long> next = firstPositions.higherEntry(number);
    return next != null && next.getValue() <= snapshot + 1;
  }

  private boolean isObsoleteSnapshot(long position) {
    return position > 0 && position < snapshot;
  }
}
