package dev.pinion.core.events;

import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A log of events that ends with its process, for an engine without a data folder. */
public final class InMemoryEventLog implements EventLog {
  private final EventLimits limits;
  private final NavigableMap<Long, Entry> entries = new TreeMap<>();
  private final Map<String, Seen> seen = new LinkedHashMap<>();
  private final long[] cursors = new long[InstanceId.MAX_PARTITIONS];
  private final List<Long> consumed = new ArrayList<>();
  private long consumedBefore;
  private long end;
  private long bytes;
  private long heapBytes;
  private long dropped;

  private record Entry(LoggedEvent event, int bytes, boolean isConsumed) {}

  private record Seen(String digest, long atMillis) {}

  /** An empty log. */
  public InMemoryEventLog(EventLimits limits) {
    this.limits = limits;
  }

  /** Appends events, all or none. */
  public EventReceipt append(String namespace, List<ExternalEvent> events, long nowMillis) {
    forget(nowMillis);
    Map<String, ExternalEvent> fresh = new LinkedHashMap<>();
    Map<String, String> own = new HashMap<>();
    for (ExternalEvent event : events) {
      String key = namespace + '\n' + event.source() + '\n' + event.id();
      Seen before = seen.get(key);
      String known = before == null ? own.get(key) : before.digest;
      if (known == null) {
        own.put(key, event.digest());
        fresh.put(key, event);
      } else if (!known.equals(event.digest())) {
        return EventReceipt.ContentConflict.of(event.source(), event.id());
      }
    }
    long more = fresh.values().stream().mapToLong(event -> event.json().length).sum();
    if (!fresh.isEmpty() && entries.size() + fresh.size() > limits.maxLogged()) {
      return new EventReceipt.StoreFull("events.maxLogged");
    }
    if (!entries.isEmpty() && bytes + more > limits.maxLogBytes()) {
      return new EventReceipt.StoreFull("events.maxLogBytes");
    }
    long moreHeap = fresh.values().stream().mapToLong(event -> event.event().heapBytes()).sum();
    if (!entries.isEmpty() && heapBytes + moreHeap > limits.maxWaitingBytes()) {
      return new EventReceipt.StoreFull("events.maxWaitingBytes"); // follows the heap
    }
    fresh.forEach((key, event) -> add(namespace, key, event, nowMillis));
    return new EventReceipt.Stored(fresh.size(), events.size() - fresh.size());
  }

  private void add(String namespace, String key, ExternalEvent event, long nowMillis) {
    seen.put(key, new Seen(event.digest(), nowMillis));
    LoggedEvent logged =
        new LoggedEvent(++end, namespace, nowMillis, event.type(), false, event.event());
    entries.put(end, new Entry(logged, event.json().length, false));
    bytes += event.json().length;
    heapBytes += event.event().heapBytes();
  }

  private void forget(long nowMillis) {
    long then = nowMillis - TimeUnit.MINUTES.toMillis(limits.rememberMinutes());
    Iterator<Seen> oldest = seen.values().iterator();
    while (oldest.hasNext()) {
      if (oldest.next().atMillis >= then && seen.size() <= limits.maxRemembered()) {
        return;
      }
      oldest.remove();
    }
  }

  /** Events that nobody consumed, so far. */
  public long dropped() {
    return dropped;
  }

  /** Number of events in the log. */
  public int size() {
    return entries.size();
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public List<LoggedEvent> read(long after, int most, long mostBytes) {
    List<LoggedEvent> read = new ArrayList<>();
    long size = 0;
    for (Entry entry : entries.tailMap(after, false).values()) {
      if (read.size() == most || size >= mostBytes) {
        break;
      }
      read.add(entry.isConsumed ? entry.event.asConsumed() : entry.event);
      size += entry.bytes;
    }
    return read;
  }

  @Override
  public long[] cursors() {
    return cursors.clone();
  }

  @Override
  public long before(long epochMillis) {
    for (Entry entry : entries.values()) {
      if (entry.event.receivedAtMillis() >= epochMillis) {
        return entry.event.position() - 1;
      }
    }
    return end;
  }

  @Override
  public void save(List<CursorUpdate> updates, List<Long> pairs, long nowMillis) {
    for (CursorUpdate update : updates) {
      update.partitions().stream()
          .forEach(each -> cursors[each] = Math.max(cursors[each], update.position()));
    }
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      entries
          .subMap(pairs.get(i), true, pairs.get(i + 1), true)
          .replaceAll((_, entry) -> new Entry(entry.event, entry.bytes, true));
    }
    if (limits.keepMillis() > 0) {
      consumed.addAll(pairs);
    }
    long passed = Long.MAX_VALUE;
    for (long cursor : cursors) {
      passed = Math.min(passed, cursor);
    }
    for (Iterator<Entry> oldest = entries.values().iterator(); oldest.hasNext(); ) {
      Entry entry = oldest.next();
      if (!isOver(entry, passed, nowMillis)) {
        if (entry.event.receivedAtMillis() > nowMillis) {
          continue; // the clock was set back: those behind may be older
        }
        return;
      }
      oldest.remove();
      bytes -= entry.bytes;
      heapBytes -= entry.event.event().heapBytes();
      dropped += entry.isConsumed ? 0 : 1;
    }
  }

  private boolean isOver(Entry entry, long passed, long nowMillis) {
    return entry.event.position() <= passed
        && (limits.keepMillis() == 0
            || entry.event.receivedAtMillis() <= nowMillis - limits.keepMillis());
  }

  /** One reader only: what it was told is forgotten. */
  @Override
  public ConsumedEvents consumed(long mark) {
    ConsumedEvents all = new ConsumedEvents(consumedBefore + consumed.size(), consumed);
    consumedBefore = all.mark();
    consumed.clear();
    return all;
  }
}
