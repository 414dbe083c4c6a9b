package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.events.LifecycleEvents;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.LifecycleEventType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The types of events that a subscriber gets. Immutable.
 *
 * @param kinds kinds of entries of the history, sent as the engine's own events
 * @param lifecycle lifecycle events of the specification
 */
public record EventSelection(Set<EventKind> kinds, Set<LifecycleEventType> lifecycle) {
  /** For subscribers that name no types: ends of instances. */
  static final EventSelection ENDS = new EventSelection(CloudEventType.ENDS, Set.of());

  private static final SortedMap<String, LifecycleEventType> LIFECYCLE_BY_TYPE = byType();

  /** Copies the sets. */
  public EventSelection {
    kinds = Set.copyOf(kinds);
    lifecycle = Set.copyOf(lifecycle);
  }

  private static SortedMap<String, LifecycleEventType> byType() {
    SortedMap<String, LifecycleEventType> byType = new TreeMap<>();
    for (LifecycleEventType each : LifecycleEventType.values()) {
      byType.put(each.type(), each);
    }
    return byType;
  }

  /** Whether there is a type of this name. */
  static boolean isKnown(String type) {
    return CloudEventType.all().containsKey(type) || LIFECYCLE_BY_TYPE.containsKey(type);
  }

  /** All types, sorted. */
  static Collection<String> known() {
    Set<String> known = new TreeSet<>(CloudEventType.all().keySet());
    known.addAll(LIFECYCLE_BY_TYPE.keySet());
    return known;
  }

  /** The selection of some types, all of them known. */
  static EventSelection of(Collection<String> types) {
    Set<EventKind> kinds = EnumSet.noneOf(EventKind.class);
    Set<LifecycleEventType> lifecycle = EnumSet.noneOf(LifecycleEventType.class);
    for (String type : types) {
      EventKind eventKind = CloudEventType.all().get(type);
      LifecycleEventType ofLifecycle = LIFECYCLE_BY_TYPE.get(type);
      if (eventKind != null) {
        kinds.add(eventKind);
      } else if (ofLifecycle != null) {
        lifecycle.add(ofLifecycle);
      }
    }
    return new EventSelection(kinds, lifecycle);
  }

  /** Whether anything is sent for a kind of entry. */
  public boolean matches(EventKind eventKind) {
    return kinds.contains(eventKind) || LifecycleEvents.areMadeOf(eventKind, lifecycle);
  }

  /** Names of the types, sorted. */
  List<String> types() {
    List<String> types = new ArrayList<>();
    kinds.forEach(each -> types.add(CloudEventType.of(each)));
    lifecycle.forEach(each -> types.add(each.type()));
    return types.stream().sorted().toList();
  }
}
