package dev.pinion.core.journal.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Gives up segments and snapshots that a newer snapshot replaces, but for those that who follows
 * the log may not have read yet: an older snapshot with everything since is kept as long as that
 * takes no more than a number of bytes, and, for a follower that says how far it is ({@link
 * FollowerMark}), than a larger one.
 *
 * <p>The owner tells what there is; {@link #deleteObsolete} may run on one helper thread. Files are
 * deleted oldest first, and only while nobody reads.
 */
final class Retention {
  /** Snapshots kept beside the newest one, however small what lies between them is. */
  static final int MAX_OLDER_SNAPSHOTS = 4;

  private final Storage storage;
  private final long segmentBytes;
  private final ConcurrentSkipListMap<Long, Long> firstPositions = new ConcurrentSkipListMap<>();
  private volatile long snapshot;

  /**
   * Keeps everything until it is told of a snapshot.
   *
   * @param segmentBytes size of a segment
   */
  Retention(Storage storage, long segmentBytes) {
    this.storage = storage;
    this.segmentBytes = segmentBytes;
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
   * @param keptBytes how much of segments that a snapshot replaces may be kept for followers
   * @param unreadBytes how much of them may be kept because a follower needs it
   * @return whether nothing is left to delete; false when somebody reads, so try again later
   */
  synchronized boolean deleteObsolete(long keptBytes, long unreadBytes) throws IOException {
    List<String> names = obsolete(keptBytes, unreadBytes);
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

  /** Whether a snapshot of now would replace a whole segment. Any thread. */
  boolean wouldFree() {
    Map.Entry<Long, Long> last = firstPositions.lastEntry();
    Long before = last == null ? null : firstPositions.lowerKey(last.getKey());
    return before != null && !isObsoleteSegment(before, snapshot);
  }

  /**
   * How much of the segments before the current one a follower has not read that needs a record no
   * more. Any thread.
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
      long position = FileNames.snapshotPosition(name);
      if (isObsoleteSegment(FileNames.segmentNumber(name), oldest)
          || (position > 0 && position < oldest)) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * What one may begin with to read the log: the beginning, and snapshots older than the newest.
   */
  private NavigableSet<Long> bases(List<String> names) {
    NavigableSet<Long> bases = new TreeSet<>();
    bases.add(0L);
    for (String name : names) {
      bases.add(Math.max(0, FileNames.snapshotPosition(name)));
    }
    return bases.headSet(snapshot, false);
  }

  /** The snapshot that a follower goes on from, unless that takes too much; else the newest. */
  private long needed(NavigableSet<Long> bases, long unreadBytes) throws IOException {
    long followed = unreadBytes == 0 ? 0 : FollowerMark.read(storage);
    Long base = followed == 0 ? null : bases.floor(followed);
    return base == null || bytesBetween(base, snapshot) > unreadBytes ? snapshot : base;
  }

  /** The oldest snapshot to be kept, with everything since; 0 for everything. */
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

  /** What segments take that one base needs and a later one does not. */
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

  /** A segment is needed when the one after it begins later than right after the snapshot. */
  private boolean isObsoleteSegment(long number, long oldest) {
    if (number < 0) {
      return false;
    }
    Map.Entry<Long, Long> next = firstPositions.higherEntry(number);
    return next != null && next.getValue() <= oldest + 1;
  }
}
