package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.LogLockedException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageLock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Deletes segments and snapshots that a newer snapshot replaces, except those that a follower of
 * the log may not have read yet: an older snapshot with everything since is kept as long as that
 * takes no more than a number of bytes, and, for a follower that reports its progress ({@link
 * FollowerPosition}), than a larger one.
 *
 * <p>The owner reports segments and snapshots; {@link #deleteObsolete} may run on one helper
 * thread. Files are deleted oldest first, and only while there is no reader.
 */
final class LogRetention {
  /** Most snapshots kept beside the newest one, even if little lies between them. */
  static final int MAX_OLDER_SNAPSHOTS = 4;

  private final Storage storage;
  private final long segmentBytes;
  private final ConcurrentSkipListMap<Long, Long> firstPositions = new ConcurrentSkipListMap<>();
  private volatile long snapshot;

  /**
   * A retention that keeps everything until it knows a snapshot.
   *
   * @param segmentBytes size of a segment
   */
  LogRetention(Storage storage, long segmentBytes) {
    this.storage = storage;
    this.segmentBytes = segmentBytes;
  }

  /** Adds a segment that came into use. */
  void segment(long number, long firstPosition) {
    firstPositions.put(number, firstPosition);
  }

  /** Sets the adopted snapshot: records up to its position are not needed any more. */
  void snapshot(long position) {
    snapshot = position;
  }

  /**
   * Deletes files that are not needed.
   *
   * @param keptBytes bytes of replaced segments that may be kept for followers
   * @param unreadBytes bytes of them that may be kept because a follower needs them
   * @return whether nothing is left to delete; false when there is a reader, so try again later
   */
  synchronized boolean deleteObsolete(long keptBytes, long unreadBytes) throws IOException {
    List<String> names = obsolete(keptBytes, unreadBytes);
    if (names.isEmpty()) {
      return true;
    }
    try (StorageLock _ = storage.lock(LogFileNames.READERS, "")) {
      for (String name : names) {
        storage.delete(name);
        firstPositions.remove(LogFileNames.segmentNumber(name));
      }
      return true;
    } catch (LogLockedException _) {
      return false;
    }
  }

  /** Whether a snapshot now would replace a whole segment. Any thread. */
  boolean wouldFree() {
    Map.Entry<Long, Long> last = firstPositions.lastEntry();
    Long before = last == null ? null : firstPositions.lowerKey(last.getKey());
    return before != null && !isObsoleteSegment(before, snapshot);
  }

  /**
   * Bytes of the segments before the current one that a follower has not read, given the last
   * record that it no longer needs. Any thread.
   */
  long unreadBytes(long followed) {
    long unread =
        firstPositions.keySet().stream().filter(n -> !isObsoleteSegment(n, followed)).count();
    return Math.max(0, unread - 1) * segmentBytes;
  }

  private List<String> obsolete(long keptBytes, long unreadBytes) throws IOException {
    List<String> all = storage.list();
    NavigableSet<Long> bases = bases(all);
    long oldest = Math.min(oldest(bases, keptBytes), needed(bases, unreadBytes));
    List<String> names = new ArrayList<>();
    for (String name : all) {
      long position = LogFileNames.snapshotPosition(name);
      if (isObsoleteSegment(LogFileNames.segmentNumber(name), oldest)
          || (position > 0 && position < oldest)) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * Positions at which a reader of the log can begin: the beginning, and snapshots older than the
   * newest.
   */
  private NavigableSet<Long> bases(List<String> names) {
    NavigableSet<Long> bases = new TreeSet<>();
    bases.add(0L);
    for (String name : names) {
      bases.add(Math.max(0, LogFileNames.snapshotPosition(name)));
    }
    return bases.headSet(snapshot, false);
  }

  /** The snapshot from which a follower continues, unless that takes too much; else the newest. */
  private long needed(NavigableSet<Long> bases, long unreadBytes) throws IOException {
    long followed = unreadBytes == 0 ? 0 : FollowerPosition.read(storage);
    Long base = followed == 0 ? null : bases.floor(followed);
    return base == null || bytesBetween(base, snapshot) > unreadBytes ? snapshot : base;
  }

  /** The oldest snapshot to keep, with everything since; 0 for everything. */
  private long oldest(NavigableSet<Long> bases, long keptBytes) {
    long oldest = snapshot;
    int left = keptBytes == 0 ? 0 : MAX_OLDER_SNAPSHOTS;
    for (long base : bases.descendingSet()) {
      if (left-- == 0 || bytesBetween(base, snapshot) > keptBytes) {
        break;
      }
      oldest = base;
    }
    return oldest;
  }

  /** Bytes of segments that one base needs and a later one does not. */
  private long bytesBetween(long base, long later) {
    long first = firstPositions.isEmpty() ? Long.MAX_VALUE : firstPositions.firstEntry().getValue();
    if (first > base + 1) {
      return Long.MAX_VALUE;
    }
    long segments =
        firstPositions.keySet().stream()
            .filter(number -> !isObsoleteSegment(number, base) && isObsoleteSegment(number, later))
            .count();
    return segments * segmentBytes;
  }

  /** Whether a segment is unneeded: the next one begins right after the snapshot or before. */
  private boolean isObsoleteSegment(long number, long oldest) {
    if (number < 0) {
      return false;
    }
    Map.Entry<Long, Long> next = firstPositions.higherEntry(number);
    return next != null && next.getValue() <= oldest + 1;
  }
}
