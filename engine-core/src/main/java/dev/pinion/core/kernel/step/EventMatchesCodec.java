package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.codec.ValueReader;
import dev.pinion.core.kernel.step.codec.ValueWriter;
import dev.pinion.core.kernel.step.event.EventMatches;

/**
 * Codec of the events that wait in an instance that keeps a schedule: an optional part behind the
 * others of its state. Other instances lack it.
 */
final class EventMatchesCodec {
  /** Number of this part among the optional ones. */
  static final int PART = 3;

  private EventMatchesCodec() {}

  /** Writes the part, if the instance has one. */
  static void write(Instance instance, ValueWriter values) {
    Activity activity = ScheduleTask.activity(instance);
    EventMatches matches = activity == null ? null : activity.matches;
    if (matches != null) {
      values.out.putCount(PART);
      values.put(matches.toPayload());
    }
  }

  /** Reads what {@link #write} wrote behind its number. */
  static void read(Instance instance, ValueReader values) {
    Activity activity = ScheduleTask.activity(instance);
    Node.Listen listen = activity == null ? null : activity.node.listens();
    if (activity == null || listen == null) {
      throw new IllegalArgumentException(
          "expected a schedule that listens to events, found " + instance.graph.key());
    }
    activity.matches = EventMatches.of(listen, values.payload());
  }
}
