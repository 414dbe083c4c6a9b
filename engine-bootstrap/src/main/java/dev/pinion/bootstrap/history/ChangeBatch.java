package dev.pinion.bootstrap.history;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes that wait to be written together, with the size of their values in memory. A value shared
 * by several counts once. Used by one thread.
 */
final class ChangeBatch {
  /** Approximate bytes of a change besides its values. */
  private static final int FIXED_BYTES = 200;

  private final long maxBytes;
  private final List<HistoryChange> changes = new ArrayList<>();
  private final Set<Payload> counted = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;

  /**
   * An empty batch.
   *
   * @param maxBytes size from which on it should be written
   */
  ChangeBatch(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  void add(HistoryChange historyChange) {
    changes.add(historyChange);
    bytes += FIXED_BYTES;
    for (Payload value : historyChange.values()) {
      bytes += weight(value);
    }
  }

  private long weight(@Nullable Payload value) {
    return value != null && counted.add(value) ? value.weight() : 0;
  }

  boolean isFull() {
    return bytes >= maxBytes;
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** The changes, in order. Not to be modified. */
  List<HistoryChange> changes() {
    return changes;
  }

  void clear() {
    changes.clear();
    counted.clear();
    bytes = 0;
  }
}
