package dev.pinion.core.kernel.listen;

import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Events that no instance has consumed, kept for a while for those that begin to listen later. The
 * oldest go first when there is no more room.
 */
final class UnheardEvents {
  private final long keepMillis;
  private final long maxBytes;
  private final TreeMap<Long, LoggedEvent> events = new TreeMap<>();
  private long bytes;

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

  void add(LoggedEvent event, long nowMillis) {
    if (areKept() && event.receivedAtMillis() >= nowMillis - keepMillis) {
      if (events.put(event.position(), event) == null) {
        bytes += event.event().heapBytes();
      }
      while (bytes > maxBytes && !events.isEmpty()) {
        removeFirst();
      }
    }
    expire(nowMillis);
  }

  /** Removes events that were kept for long enough. */
  void expire(long nowMillis) {
    Map.Entry<Long, LoggedEvent> oldest = events.firstEntry();
    while (oldest != null && oldest.getValue().receivedAtMillis() < nowMillis - keepMillis) {
      removeFirst();
      oldest = events.firstEntry();
    }
  }

  private void removeFirst() {
    Map.Entry<Long, LoggedEvent> oldest = events.pollFirstEntry();
    if (oldest != null) {
      bytes -= oldest.getValue().event().heapBytes();
    }
  }

  /** Removes events that were consumed. */
  void remove(long first, long last) {
    Map<Long, LoggedEvent> consumed = events.subMap(first, true, last, true);
    for (LoggedEvent event : consumed.values()) {
      bytes -= event.event().heapBytes();
    }
    consumed.clear();
  }

  /** The first event behind a position; null for none. */
  @Nullable LoggedEvent after(long position) {
    Map.Entry<Long, LoggedEvent> next = events.higherEntry(position);
    return next == null ? null : next.getValue();
  }
}
