package dev.pinion.core.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.collections.LongHashSet;

/**
 * Ids of the last evicted instances: a query for one of them gets "forgotten" instead of "not
 * found". Kernel thread only.
 */
final class ForgottenInstances {
  private final int max;
  private final LongHashSet ids = new LongHashSet();
  private final Deque<Long> byAge = new ArrayDeque<>();

  /**
   * An empty set.
   *
   * @param max most ids; beyond it the oldest are dropped
   */
  ForgottenInstances(int max) {
    this.max = max;
  }

  void add(long id) {
    if (ids.add(id)) {
      byAge.add(id);
    }
    if (byAge.size() > max) {
      ids.remove(byAge.remove().longValue());
    }
  }

  boolean contains(long id) {
    return ids.contains(id);
  }
}
