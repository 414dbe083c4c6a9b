package dev.pinion.core.kernel.table;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.StartKey;
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
public final class StartKeyTable {
  private final int maxKeys;
  private final long keptNanos;
  private final Map<KeyDigest, KeyEntry> byName = new HashMap<>();

  /** One shared object for each definition, however many come from the disk. */
  private final Map<DefinitionKey, DefinitionKey> definitions = new HashMap<>();

  /** Entries of the map, the next to expire first. */
  private final Deque<KeyEntry> byAge = new ArrayDeque<>();

  /** A key without the body of its request. */
  private record KeyDigest(long high, long low) {
    static KeyDigest of(StartKey key) {
      return new KeyDigest(key.high(), key.low());
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
  public record KeyEntry(
      StartKey key, InstanceId id, @Nullable DefinitionKey definition, long sinceNanos) {
    /** A copy whose retention begins at another time. */
    KeyEntry from(long nanos) {
      return new KeyEntry(key, id, definition, nanos);
    }
  }

  /**
   * An empty set.
   *
   * @param maxKeys most keys
   * @param keptNanos retention in nanoseconds
   */
  public StartKeyTable(int maxKeys, long keptNanos) {
    this.maxKeys = maxKeys;
    this.keptNanos = keptNanos;
  }

  /** The start that had the same key, with any body; null when there was none. */
  public @Nullable KeyEntry find(StartKey key) {
    return byName.get(KeyDigest.of(key));
  }

  /** Whether there is no room for another key. */
  public boolean isFull() {
    return byName.size() >= maxKeys;
  }

  /** Adds a key, unless it is known already. */
  public void add(StartKey key, InstanceId id, @Nullable DefinitionKey definition, long nowNanos) {
    if (definitions.size() > byName.size()) {
      definitions.clear(); // most are of forgotten keys
    }
    DefinitionKey kept =
        definition == null ? null : definitions.computeIfAbsent(definition, each -> each);
    add(new KeyEntry(key, id, kept, nowNanos));
  }

  private void add(KeyEntry keyEntry) {
    if (byName.putIfAbsent(KeyDigest.of(keyEntry.key()), keyEntry) == null) {
      byAge.add(keyEntry);
    }
  }

  /**
   * Forgets expired keys.
   *
   * @param underWay whether an instance has not ended; its key is kept for another period
   */
  public void forget(long nowNanos, Predicate<InstanceId> underWay) {
    for (KeyEntry oldest = byAge.peek();
        oldest != null && nowNanos - oldest.sinceNanos() >= keptNanos;
        oldest = byAge.peek()) {
      byAge.remove();
      byName.remove(KeyDigest.of(oldest.key()));
      if (underWay.test(oldest.id())) {
        add(oldest.from(nowNanos));
      }
    }
  }

  /** Forgets the keys of some partitions, even of running instances. */
  void remove(BitSet partitions) {
    byAge.removeIf(keyEntry -> partitions.get(keyEntry.id().partition()));
    byName.values().removeIf(keyEntry -> partitions.get(keyEntry.id().partition()));
  }

  /** Number of definitions that are remembered, at most one more than there are keys. */
  int definitions() {
    return definitions.size();
  }

  /** A copy of the starts, oldest first. */
  public List<KeyEntry> all() {
    return List.copyOf(byAge);
  }
}
