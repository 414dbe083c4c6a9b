package dev.pinion.bootstrap.publish;

import dev.pinion.core.model.HistoryEvent.Kind;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Types of CloudEvents: the subscribers' names for kinds of events. */
final class EventType {
  /** Default kinds for subscribers that name no types: ends of instances. */
  static final Set<Kind> ENDS =
      Set.of(Kind.INSTANCE_COMPLETED, Kind.INSTANCE_FAULTED, Kind.INSTANCE_CANCELLED);

  private static final String PREFIX = "dev.pinion.";
  private static final SortedMap<String, Kind> BY_NAME = new TreeMap<>();

  static {
    for (Kind kind : Kind.values()) {
      if (kind != Kind.GAP) {
        BY_NAME.put(of(kind), kind);
      }
    }
  }

  private EventType() {}

  /** The type of a kind, such as {@code dev.pinion.instance.completed}. */
  static String of(Kind kind) {
    return PREFIX + kind.name().toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** All types, with their kinds. */
  static SortedMap<String, Kind> all() {
    return BY_NAME;
  }
}
