package dev.pinion.core.kernel.listen;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Events that instances consumed before a start, by the records of it. The log is told of consumed
 * events a little later, so a crash may keep the last ones from it. Where no event is kept for
 * later listeners, nobody asks.
 */
final class RecordedMatches {
  /** Time after which the log knows of a consumed event. */
  private static final long TOLD_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final long keepMillis;

  /** By their first positions, ascending. */
  private final TreeMap<Long, MatchRange> ranges = new TreeMap<>();

  /** Positions that follow each other, up to the last one. */
  private record MatchRange(long last, long atMillis) {}

  RecordedMatches(long keepMillis) {
    this.keepMillis = keepMillis;
  }

  /**
   * Adds an event, and forgets those that were consumed long before.
   *
   * @param atMillis wall-clock time at which it was consumed
   */
  void add(long position, long atMillis) {
    if (keepMillis == 0) {
      return;
    }
    Map.Entry<Long, MatchRange> before = ranges.floorEntry(position);
    if (before == null || position > before.getValue().last + 1) {
      ranges.put(position, new MatchRange(position, atMillis));
    } else {
      long last = Math.max(position, before.getValue().last);
      ranges.put(before.getKey(), new MatchRange(last, atMillis));
    }
    Map.Entry<Long, MatchRange> oldest = ranges.firstEntry();
    while (oldest != null && oldest.getValue().atMillis < atMillis - keepMillis - TOLD_MILLIS) {
      ranges.remove(oldest.getKey());
      oldest = ranges.firstEntry();
    }
  }

  /** Whether an event was consumed. Forgets those before it: events come in their order. */
  boolean take(long position) {
    if (ranges.isEmpty()) {
      return false;
    }
    Map.Entry<Long, MatchRange> range = ranges.floorEntry(position);
    boolean known = range != null && position <= range.getValue().last;
    ranges.headMap(position).values().removeIf(each -> each.last <= position);
    return known;
  }
}
