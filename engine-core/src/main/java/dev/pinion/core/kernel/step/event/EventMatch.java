package dev.pinion.core.kernel.step.event;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Events that start one run of a schedule together, once all of them have come. Only its kernel
 * changes it.
 */
public final class EventMatch {
  /** Bytes of a match, and of a value, beside their content. */
  private static final int BYTES = 100;

  private static final String NAMES = "names";
  private static final String VALUES = "values";
  private static final String FILLED = "filled";
  private static final String EVENTS = "events";
  private static final String DUE = "due";

  private final SortedMap<String, String> values = new TreeMap<>();

  /** Filters that have had their event: those of the end where the others need none. */
  private final BitSet filled = new BitSet();

  private final List<Payload> events = new ArrayList<>(1);
  private long bytes = BYTES;
  private long due;

  /** Values of correlations that its events have in common, by name. */
  SortedMap<String, String> values() {
    return values;
  }

  /** Whether none of some values differs from its own. */
  boolean agrees(Map<String, String> others) {
    for (Map.Entry<String, String> other : others.entrySet()) {
      String own = values.get(other.getKey());
      if (own != null && !own.equals(other.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Fixes values that it does not have yet. */
  void correlate(Map<String, String> more) {
    more.forEach(
        (name, value) -> {
          if (values.putIfAbsent(name, value) == null) {
            bytes += BYTES + name.length() + value.length();
          }
        });
  }

  /** Whether a filter has had its event. */
  boolean has(int filter) {
    return filled.get(filter);
  }

  /** Records that a filter has had its event; returns how many have. */
  public int fill(int filter) {
    filled.set(filter);
    return filled.cardinality();
  }

  /** Adds an event. */
  void add(Payload event) {
    events.add(event);
    bytes += event.weight() + 1L;
  }

  /** Its events, in the order in which they came. */
  public List<Payload> events() {
    return events;
  }

  /** The input of its run. */
  public Payload input() {
    return Payload.array(events);
  }

  /** Approximate bytes of all this as JSON. */
  long bytes() {
    return bytes;
  }

  /** When its last event came, in milliseconds since the epoch; 0 while some are missing. */
  public long due() {
    return due;
  }

  /** Records that its last event has come. */
  public void completed(long epochMillis) {
    due = epochMillis;
  }

  /** Replaces its events. */
  void replace(UnaryOperator<Payload> each) {
    events.replaceAll(each);
  }

  /** The value of which {@link #of} makes it again. */
  Payload toPayload() {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put(NAMES, Payload.array(values.keySet().stream().map(Payload::of).toList()));
    members.put(VALUES, Payload.array(values.values().stream().map(Payload::of).toList()));
    List<Payload> numbers = filled.stream().mapToObj(filter -> Payload.of(filter)).toList();
    members.put(FILLED, Payload.array(numbers));
    members.put(EVENTS, input());
    members.put(DUE, Payload.of(due));
    return Payload.object(members);
  }

  static EventMatch of(Payload value) {
    EventMatch match = new EventMatch();
    List<Payload> names = items(value.member(NAMES));
    List<Payload> common = items(value.member(VALUES));
    Map<String, String> pairs = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      pairs.put(names.get(i).asText(), common.get(i).asText());
    }
    match.correlate(pairs);
    value.numbers(FILLED).forEach(filter -> match.fill(filter.intValue()));
    items(value.member(EVENTS)).forEach(match::add);
    match.completed(value.number(DUE));
    return match;
  }

  private static List<Payload> items(@Nullable Payload array) {
    return array == null ? List.of() : array.items();
  }
}
