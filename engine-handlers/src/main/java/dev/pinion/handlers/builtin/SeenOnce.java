package dev.pinion.handlers.builtin;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers names for some time, a bounded number of them. It forgets none before its time: with no
 * room left it says so. Safe for use by any thread.
 */
final class SeenOnce {
  private final long keptMillis;
  private final int maxNames;
  private final Map<String, Long> untilByName = new LinkedHashMap<>(); // guarded by this

  /**
   * An empty memory.
   *
   * @param keptMillis how long a name is remembered
   * @param maxNames the most names at a time
   */
  SeenOnce(long keptMillis, int maxNames) {
    this.keptMillis = keptMillis;
    this.maxNames = maxNames;
  }

  /** Adds a name, unless it is there. */
  synchronized Answer add(String name, long nowMillis) {
    forget(nowMillis);
    if (untilByName.containsKey(name)) {
      return Answer.SEEN;
    }
    if (untilByName.size() >= maxNames) {
      return Answer.FULL;
    }
    untilByName.put(name, nowMillis + keptMillis);
    return Answer.NEW;
  }

  private void forget(long nowMillis) {
    Iterator<Long> oldest = untilByName.values().iterator();
    while (oldest.hasNext() && oldest.next() <= nowMillis) {
      oldest.remove();
    }
  }

  /** What became of a name. */
  enum Answer {
    /** It was not there, and is now. */
    NEW,
    /** It was there. */
    SEEN,
    /** It was not there, and there is no room. */
    FULL
  }
}
