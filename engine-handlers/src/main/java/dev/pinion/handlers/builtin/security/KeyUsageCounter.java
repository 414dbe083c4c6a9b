package dev.pinion.handlers.builtin.security;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts how often each key was used, so that none is used more often than its random nonces allow
 * (NIST SP 800-38D, section 8.3: 2<sup>32</sup> times with 96 bits). A key that returns to the ring
 * keeps its count. Safe for use by any thread.
 */
final class KeyUsageCounter {
  /** The most keys that are counted; more key changes are not expected. */
  static final int MAX_KEYS = 10_000;

  private final long most;
  private final Map<String, AtomicLong> uses = new ConcurrentHashMap<>();

  /** Allows each key a number of uses. */
  KeyUsageCounter(long most) {
    this.most = most;
  }

  /** Whether the key may be used once more; counts the use. */
  boolean use(String keyId) {
    AtomicLong count = uses.get(keyId);
    if (count == null) {
      if (uses.size() >= MAX_KEYS) {
        return false;
      }
      count = uses.computeIfAbsent(keyId, _ -> new AtomicLong());
    }
    return count.getAndUpdate(used -> Math.min(most, used + 1)) < most;
  }
}
