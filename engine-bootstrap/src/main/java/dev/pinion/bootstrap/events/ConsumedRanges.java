package dev.pinion.bootstrap.events;

import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Positions of consumed events within some bounds, asked for in ascending order: they are read
 * once, however many events are compared with them.
 */
final class ConsumedRanges {
  private final List<ConsumedRange> ranges = new ArrayList<>();
  private int next;
  private long covered;

  /** A first and a last position. */
  private record ConsumedRange(long first, long last) {}

  private ConsumedRanges() {}

  /** The ranges that have positions from one to another. */
  static ConsumedRanges of(Handle open, long from, long to) {
    return open.select(
            "SELECT first, last FROM consumed WHERE last >= ? AND first <= ? ORDER BY first",
            from,
            to)
        .reduceResultSet(
            new ConsumedRanges(),
            (all, row, _) -> {
              all.ranges.add(new ConsumedRange(row.getLong(1), row.getLong(2)));
              return all;
            });
  }

  /** Whether a position is among them; it is not less than that of the last call. */
  boolean includeNext(long position) {
    while (next < ranges.size() && ranges.get(next).first <= position) {
      covered = Math.max(covered, ranges.get(next).last);
      next++;
    }
    return position <= covered;
  }
}
