package dev.pinion.core.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.collections.LongHashSet;

/**
 * The last instances that were forgotten, by their ids: who asks for one of them is told so, and
 * not that there never was one. Kernel thread only.
 */
final class ForgottenInstances {
  private final int max;
  private final LongHashSet ids = new LongHashSet();
  private final Deque<Long> byAge = new ArrayDeque<>();

  /**
   * None yet.
   *
   * @param max ids that are remembered; of more the oldest are not
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
