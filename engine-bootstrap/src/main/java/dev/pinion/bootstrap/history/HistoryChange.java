package dev.pinion.bootstrap.history;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.InstanceView;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change of the history that follows from a journal. Each may be written again, without effect.
 */
sealed interface HistoryChange {
  /** Values that it refers to; null where there is none. */
  default List<@Nullable Payload> values() {
    return List.of();
  }

  private static @Nullable Payload payload(@Nullable WorkflowError error) {
    return error == null ? null : error.toPayload();
  }

  /** An event of an instance. */
  record EventRecorded(HistoryEvent event) implements HistoryChange {
    @Override
    public List<@Nullable Payload> values() {
      return Arrays.asList(event.input(), event.output(), payload(event.error()));
    }
  }

  /**
   * An instance in a snapshot.
   *
   * @param sequence highest possible number of earlier events
   * @param first whether the journal begins with the snapshot, so that earlier events may never
   *     follow; false for one that was copied from another journal
   */
  record InstanceRestored(InstanceView instance, long sequence, boolean first)
      implements HistoryChange {
    @Override
    public List<@Nullable Payload> values() {
      return Arrays.asList(instance.output(), payload(instance.error()));
    }
  }

  /**
   * Records were deleted unread: instances of these partitions that the snapshot after the gap
   * lacks have ended in an unknown way.
   *
   * @param present instances in the snapshot
   */
  record RecordsLost(Set<Integer> partitions, Set<Long> present, long position)
      implements HistoryChange {}

  /** Events of an instance from a number on may be wrong, and will be reported again. */
  record InstanceRetracted(InstanceId id, long sequence) implements HistoryChange {}

  /** An instance whose events cannot be followed any further. */
  record InstanceSkipped(InstanceId id, long sequence, String reason) implements HistoryChange {}
}
