package dev.pinion.core.kernel.listen;

import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Events that no instance has consumed, kept for a while for those that begin to listen later. The
 * oldest go first when there is no more room.
 */
final class UnheardEvents {
  private final long keepMillis;
  private final long maxBytes;
  private final TreeMap<Long, LoggedEvent> events = new TreeMap<>();
  private final Map<NamespacedType, TreeSet<Long>> positions = new HashMap<>();
  private long bytes;

  /** What a listener asks of an event first. */
  private record NamespacedType(String namespace, String type) {}

  UnheardEvents(long keepMillis, long maxBytes) {
    this.keepMillis = keepMillis;
    this.maxBytes = maxBytes;
  }

  /** Whether events are kept at all. */
  boolean areKept() {
    return keepMillis > 0;
  }

  /** How long events are kept. */
  long keepMillis() {
    return keepMillis;
  }

  int size() {
    return events.size();
  }

  /** Heap bytes of their values. */
  long heapBytes() {
    return bytes;
  }

  boolean contains(long position) {
    return events.containsKey(position);
  }

  void add(LoggedEvent event, long nowMillis) {
    if (areKept() && event.receivedAtMillis() >= nowMillis - keepMillis) {
      if (events.put(event.position(), event) == null) {
        bytes += event.event().heapBytes();
        positions.computeIfAbsent(kind(event), _ -> new TreeSet<>()).add(event.position());
      }
      while (bytes > maxBytes && !events.isEmpty()) {
        remove(events.firstKey());
      }
    }
    expire(nowMillis);
  }

  private static NamespacedType kind(LoggedEvent event) {
    return new NamespacedType(event.namespace(), event.type());
  }

  /** Removes events that were kept for long enough. */
  void expire(long nowMillis) {
    Map.Entry<Long, LoggedEvent> oldest = events.firstEntry();
    while (oldest != null && oldest.getValue().receivedAtMillis() < nowMillis - keepMillis) {
      remove(oldest.getKey());
      oldest = events.firstEntry();
    }
  }

  /** Removes events that were consumed. */
  void remove(long first, long last) {
    List<Long> consumed = new ArrayList<>(events.subMap(first, true, last, true).keySet());
    consumed.forEach(this::remove);
  }

  private void remove(long position) {
    LoggedEvent event = events.remove(position);
    if (event == null) {
      return;
    }
    bytes -= event.event().heapBytes();
    TreeSet<Long> others = positions.get(kind(event));
    if (others != null && others.remove(position) && others.isEmpty()) {
      positions.remove(kind(event));
    }
  }

  /** The next event of a type that a latecomer asks for; null for none. */
  @Nullable LoggedEvent next(Latecomer latecomer) {
    if (latecomer.types.isEmpty()) {
      Map.Entry<Long, LoggedEvent> next = events.higherEntry(latecomer.comparedUpTo);
      return next == null ? null : next.getValue();
    }
    String namespace = latecomer.listener.namespace();
    LoggedEvent next = null;
    for (String type : latecomer.types) {
      TreeSet<Long> known = positions.get(new NamespacedType(namespace, type));
      Long position = known == null ? null : known.higher(latecomer.comparedUpTo);
      if (position != null && (next == null || position < next.position())) {
        next = events.get(position);
      }
    }
    return next;
  }
}
