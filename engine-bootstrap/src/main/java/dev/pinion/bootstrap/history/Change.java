package dev.pinion.bootstrap.history;

import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a journal has told that changes the history. Each may be written again, to no effect. */
sealed interface Change {
  /** The values that it holds on to; null where there is none. */
  default List<@Nullable Payload> values() {
    return List.of();
  }

  private static @Nullable Payload payload(@Nullable WorkflowError error) {
    return error == null ? null : error.toPayload();
  }

  /** Something happened in an instance. */
  record Happened(HistoryEvent event) implements Change {
    @Override
    public List<@Nullable Payload> values() {
      return Arrays.asList(event.input(), event.output(), payload(event.error()));
    }
  }

  /**
   * A snapshot has an instance.
   *
   * @param sequence the highest number that what happened before may have
   * @param first whether the journal begins with the snapshot, so that what happened before may
   *     never be told; false for one that was copied from another journal
   */
  record Restored(InstanceView instance, long sequence, boolean first) implements Change {
    @Override
    public List<@Nullable Payload> values() {
      return Arrays.asList(instance.output(), payload(instance.error()));
    }
  }

  /**
   * Records are gone that were never read: of these partitions, instances that the snapshot after
   * the gap lacks have ended, nobody knows how.
   *
   * @param present those that it has
   */
  record Missed(Set<Integer> partitions, Set<Long> present, long position) implements Change {}

  /** What was told of an instance from a number on may be wrong, and will be told again. */
  record Retracted(InstanceId id, long sequence) implements Change {}

  /** An instance cannot be followed any further. */
  record GivenUp(InstanceId id, long sequence, String reason) implements Change {}
}
