package dev.pinion.core.kernel.replay;

import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Determines which records were written while a snapshot was made and are already part of it.
 *
 * <p>Matters up to the position at which the snapshot was finished. Up to there an event of an
 * unknown instance belongs to one that ended before the snapshot reached it; behind it, such an
 * event means damage.
 */
final class SnapshotOverlap {
  private final Long2ObjectHashMap<Mark> running = new Long2ObjectHashMap<>();
  private final LongHashSet ended = new LongHashSet();

  /** Progress of an instance when it was written. */
  private record Mark(int events, int roomChecks) {}

  void isRunning(Instance instance) {
    running.put(instance.id().value(), new Mark(instance.events(), instance.roomChecks()));
  }

  void hasEnded(InstanceId id) {
    ended.add(id.value());
  }

  /** Whether the snapshot contains an instance as running. */
  boolean holdsRunning(InstanceId id) {
    return running.containsKey(id.value());
  }

  /**
   * Whether the snapshot already contains a record.
   *
   * @param instance its instance, or null when none is running
   */
  boolean covers(JournalRecord record, @Nullable Instance instance) {
    Mark mark = running.get(record.id().value());
    return switch (record.event()) {
      case Event.Started _ -> mark != null || ended.contains(record.id().value());
      case Event.MemoryExceeded found when mark != null -> found.check() <= mark.roomChecks;
      // its record contains the state, so an instance that had ended by then may be running again
      case Event.Retried _ -> mark != null && record.sequence() < mark.events;
      default -> instance == null || (mark != null && record.sequence() < mark.events);
    };
  }
}
