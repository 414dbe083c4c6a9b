package dev.pinion.handlers.builtin.security;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers a bounded number of names for some time. It forgets none before its time: without room
 * it reports that. Safe for use by any thread.
 */
final class ReplayCache {
  private final long keptMillis;
  private final int maxNames;
  private final Map<String, Long> untilByName = new LinkedHashMap<>(); // guarded by this

  /**
   * An empty memory.
   *
   * @param keptMillis time for which a name is remembered
   * @param maxNames the most names at a time
   */
  ReplayCache(long keptMillis, int maxNames) {
    this.keptMillis = keptMillis;
    this.maxNames = maxNames;
  }

  /** Adds a name, unless it is known. */
  synchronized CacheResult add(String name, long nowMillis) {
    forget(nowMillis);
    if (untilByName.containsKey(name)) {
      return CacheResult.SEEN;
    }
    if (untilByName.size() >= maxNames) {
      return CacheResult.FULL;
    }
    untilByName.put(name, nowMillis + keptMillis);
    return CacheResult.NEW;
  }

  private void forget(long nowMillis) {
    Iterator<Long> oldest = untilByName.values().iterator();
    while (oldest.hasNext() && oldest.next() <= nowMillis) {
      oldest.remove();
    }
  }

  /** Result of adding a name. */
  enum CacheResult {
    /** It was unknown, and has been added. */
    NEW,
    /** It was known. */
    SEEN,
    /** It was unknown, and there is no room. */
    FULL
  }
}
