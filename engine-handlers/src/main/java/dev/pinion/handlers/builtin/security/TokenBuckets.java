package dev.pinion.handlers.builtin.security;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A bucket of tokens for each key, by the generic cell rate algorithm: of a bucket only the time is
 * stored at which it will be full again. A full bucket equals a new one and may be dropped; when
 * there is no room, further keys share one bucket, so that inventing keys gains nothing. Safe for
 * use by any thread.
 */
final class TokenBuckets {
  private final long intervalNanos;
  private final long depthNanos;
  private final int maxKeys;

  // Guarded by this; the one unused for longest first.
  private final Map<String, Long> fullAtByKey = new LinkedHashMap<>(16, 0.75f, true);
  private long sharedFullAt;
  private long sharedUses;

  /**
   * Full buckets.
   *
   * @param intervalNanos time for one token
   * @param burst number of tokens that a bucket holds
   * @param maxKeys the most keys with separate buckets
   * @param nowNanos the monotonic time
   */
  TokenBuckets(long intervalNanos, int burst, int maxKeys, long nowNanos) {
    this.intervalNanos = intervalNanos;
    this.depthNanos = Math.multiplyExact(intervalNanos, burst);
    this.maxKeys = maxKeys;
    this.sharedFullAt = nowNanos;
  }

  /**
   * Takes a token.
   *
   * @return 0, or nanoseconds until there is one
   */
  synchronized long take(String key, long nowNanos) {
    Long fullAt = fullAtByKey.get(key);
    if (fullAt == null && !hasRoom(nowNanos)) {
      sharedUses++;
      long next = next(sharedFullAt, nowNanos);
      long wait = wait(next, nowNanos);
      sharedFullAt = wait == 0 ? next : sharedFullAt;
      return wait;
    }
    long next = next(fullAt == null ? nowNanos : fullAt, nowNanos);
    long wait = wait(next, nowNanos);
    if (wait == 0) {
      fullAtByKey.put(key, next);
    }
    return wait;
  }

  private long next(long fullAt, long nowNanos) {
    return nowNanos + Math.max(0, fullAt - nowNanos) + intervalNanos;
  }

  private long wait(long next, long nowNanos) {
    return Math.max(0, next - nowNanos - depthNanos);
  }

  private boolean hasRoom(long nowNanos) {
    Iterator<Long> oldest = fullAtByKey.values().iterator();
    while (fullAtByKey.size() >= maxKeys && oldest.hasNext()) {
      if (oldest.next() - nowNanos > 0) {
        return false;
      }
      oldest.remove();
    }
    return true;
  }

  /** Number of keys with separate buckets. */
  synchronized int keys() {
    return fullAtByKey.size();
  }

  /** Number of uses of the shared bucket. */
  synchronized long sharedUses() {
    return sharedUses;
  }
}
