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
 * Keys under which instances of one kernel were started. A key is kept for a time after its start,
 * and for as long as its instance is running. Kernel thread only.
 */
final class StartKeys {
  private final int maxKeys;
  private final long keptNanos;
  private final Map<Name, Started> byName = new HashMap<>();

  /** One shared object for each definition, however many come from the disk. */
  private final Map<DefinitionKey, DefinitionKey> definitions = new HashMap<>();

  /** Entries of the map, the next to expire first. */
  private final Deque<Started> byAge = new ArrayDeque<>();

  /** A key without the body of its request. */
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
   * @param definition definition of that instance; null when an older engine did not store it
   * @param sinceNanos monotonic time at which its retention begins
   */
  record Started(StartKey key, InstanceId id, @Nullable DefinitionKey definition, long sinceNanos) {
    /** A copy whose retention begins at another time. */
    Started from(long nanos) {
      return new Started(key, id, definition, nanos);
    }
  }

  /**
   * An empty set.
   *
   * @param maxKeys most keys
   * @param keptNanos retention in nanoseconds
   */
  StartKeys(int maxKeys, long keptNanos) {
    this.maxKeys = maxKeys;
    this.keptNanos = keptNanos;
  }

  /** The start that had the same key, with any body; null when there was none. */
  @Nullable Started find(StartKey key) {
    return byName.get(Name.of(key));
  }

  /** Whether there is no room for another key. */
  boolean isFull() {
    return byName.size() >= maxKeys;
  }

  /** Adds a key, unless it is known already. */
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
   * Forgets expired keys.
   *
   * @param underWay whether an instance has not ended; its key is kept for another period
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

  /** Forgets the keys of some partitions, even of running instances. */
  void remove(BitSet partitions) {
    byAge.removeIf(started -> partitions.get(started.id().partition()));
    byName.values().removeIf(started -> partitions.get(started.id().partition()));
  }

  /** A copy of the starts, oldest first. */
  List<Started> all() {
    return List.copyOf(byAge);
  }
}
