package dev.pinion.core.kernel.listen;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Events that instances consumed, by their records, until the log of events has stored that. It is
 * told a little later, so a crash may keep the last ones from it; then records and snapshots name
 * them. Where no event is kept for later listeners, nobody asks. Kernel thread only.
 */
public final class RecordedMatches {
  /** Time after which the log knows of a consumed event. */
  private static final long TOLD_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final long keepMillis;

  /** By their first positions, ascending. */
  private final TreeMap<Long, MatchRange> ranges = new TreeMap<>();

  /** Positions that follow each other, up to the last one, and when that was consumed. */
  private record MatchRange(long last, long atMillis) {}

  /** Receives events that follow each other. */
  @FunctionalInterface
  public interface RangeConsumer {
    /**
     * Takes events.
     *
     * @param first position of the first of them
     * @param last position of the last of them
     * @param atMillis wall-clock time at which the last one was consumed
     */
    void accept(long first, long last, long atMillis);
  }

  RecordedMatches(long keepMillis) {
    this.keepMillis = keepMillis;
  }

  /**
   * Adds events that follow each other.
   *
   * @param atMillis wall-clock time at which the last one was consumed
   */
  void add(long first, long last, long atMillis) {
    if (keepMillis == 0) {
      return;
    }
    long begin = first;
    long end = last;
    long latest = atMillis;
    Map.Entry<Long, MatchRange> each = ranges.floorEntry(last + 1);
    while (each != null && each.getValue().last >= first - 1) {
      begin = Math.min(begin, each.getKey());
      end = Math.max(end, each.getValue().last);
      latest = Math.max(latest, each.getValue().atMillis);
      ranges.remove(each.getKey());
      each = ranges.lowerEntry(each.getKey());
    }
    ranges.put(begin, new MatchRange(end, latest));
    expire(atMillis);
  }

  /** Forgets events that were consumed so long ago that the log knows of them. */
  void expire(long nowMillis) {
    Map.Entry<Long, MatchRange> oldest = ranges.firstEntry();
    while (oldest != null && oldest.getValue().atMillis < nowMillis - keepMillis - TOLD_MILLIS) {
      ranges.remove(oldest.getKey());
      oldest = ranges.firstEntry();
    }
  }

  /** Forgets events of which the log has stored that they were consumed. */
  void stored(long first, long last) {
    Map.Entry<Long, MatchRange> each = ranges.floorEntry(last);
    while (each != null && each.getValue().last >= first) {
      long begin = each.getKey();
      MatchRange range = each.getValue();
      ranges.remove(begin);
      if (range.last > last) {
        ranges.put(last + 1, range);
      }
      if (begin < first) {
        ranges.put(begin, new MatchRange(first - 1, range.atMillis));
      }
      each = ranges.lowerEntry(begin);
    }
  }

  /** Whether an event was consumed. */
  boolean contains(long position) {
    if (ranges.isEmpty()) {
      return false;
    }
    Map.Entry<Long, MatchRange> range = ranges.floorEntry(position);
    return range != null && position <= range.getValue().last;
  }

  /** Hands all of them over, in ascending order. */
  public void forEach(RangeConsumer consumer) {
    ranges.forEach((first, range) -> consumer.accept(first, range.last, range.atMillis));
  }
}
