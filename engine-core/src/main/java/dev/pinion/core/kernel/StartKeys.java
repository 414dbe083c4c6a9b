package dev.pinion.core.kernel;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.StartKey;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The keys under which instances of one kernel were started. A key is kept for a time after its
 * start, and for as long as its instance is under way. Kernel thread only.
 */
final class StartKeys {
  private final int maxKeys;
  private final long keptNanos;
  private final Map<Name, Started> byName = new HashMap<>();

  /** One object for each definition, however many come from the disk. */
  private final Map<DefinitionKey, DefinitionKey> definitions = new HashMap<>();

  /** Those of the map, the one that may be forgotten first at the head. */
  private final Deque<Started> byAge = new ArrayDeque<>();

  /** A key without the body that came with it. */
  private record Name(long high, long low) {
    static Name of(StartKey key) {
      return new Name(key.high(), key.low());
    }
  }

  /**
   * A start.
   *
   * @param key its key
   * @param id the instance that it started
   * @param definition what that runs; null when an older engine did not write it down
   * @param sinceNanos monotonic time from which on it is kept
   */
  record Started(StartKey key, InstanceId id, @Nullable DefinitionKey definition, long sinceNanos) {
    /** The same, kept from another time on. */
    Started from(long nanos) {
      return new Started(key, id, definition, nanos);
    }
  }

  /**
   * No keys yet.
   *
   * @param maxKeys most that are kept
   * @param keptNanos how long, in nanoseconds
   */
  StartKeys(int maxKeys, long keptNanos) {
    this.maxKeys = maxKeys;
    this.keptNanos = keptNanos;
  }

  /** The start that had the same key, with whatever body; null when there was none. */
  @Nullable Started find(StartKey key) {
    return byName.get(Name.of(key));
  }

  /** Whether there is no room for a further key. */
  boolean isFull() {
    return byName.size() >= maxKeys;
  }

  /** Keeps a key, unless it is kept already. */
  void add(StartKey key, InstanceId id, @Nullable DefinitionKey definition, long nowNanos) {
    DefinitionKey kept =
        definition == null ? null : definitions.computeIfAbsent(definition, each -> each);
    add(new Started(key, id, kept, nowNanos));
  }

  private void add(Started started) {
    if (byName.putIfAbsent(Name.of(started.key()), started) == null) {
      byAge.add(started);
    }
  }

  /**
   * Forgets keys that were kept for long enough.
   *
   * @param underWay whether an instance has not ended; its key is kept for another time
   */
  void forget(long nowNanos, Predicate<InstanceId> underWay) {
    for (Started oldest = byAge.peek();
        oldest != null && nowNanos - oldest.sinceNanos() >= keptNanos;
        oldest = byAge.peek()) {
      byAge.remove();
      byName.remove(Name.of(oldest.key()));
      if (underWay.test(oldest.id())) {
        add(oldest.from(nowNanos));
      }
    }
  }

  /** Forgets the keys of some partitions, whatever their instances do. */
  void remove(BitSet partitions) {
    byAge.removeIf(started -> partitions.get(started.id().partition()));
    byName.values().removeIf(started -> partitions.get(started.id().partition()));
  }

  /** A copy of what is kept, the oldest first. */
  List<Started> all() {
    return List.copyOf(byAge);
  }
}
