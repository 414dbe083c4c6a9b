package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Types of CloudEventWriter: the subscribers' names for kinds of events. */
final class CloudEventType {
  /** Default kinds for subscribers that name no types: ends of instances. */
  static final Set<EventKind> ENDS =
      Set.of(
          EventKind.INSTANCE_COMPLETED, EventKind.INSTANCE_FAULTED, EventKind.INSTANCE_CANCELLED);

  private static final String PREFIX = "dev.pinion.";
  private static final SortedMap<String, EventKind> BY_NAME = new TreeMap<>();

  static {
    for (EventKind eventKind : EventKind.values()) {
      if (eventKind != EventKind.GAP) {
        BY_NAME.put(of(eventKind), eventKind);
      }
    }
  }

  private CloudEventType() {}

  /** The type of a kind, such as {@code dev.pinion.instance.completed}. */
  static String of(EventKind eventKind) {
    return PREFIX + eventKind.name().toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** All types, with their kinds. */
  static SortedMap<String, EventKind> all() {
    return BY_NAME;
  }
}
