package dev.pinion.core.spi;

import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;

/**
 * Hears what instances do, for history and tests. Called on kernel threads: must be quick and must
 * not block.
 */
@FunctionalInterface
public interface TaskObserver {
  /** Hears nothing. */
  TaskObserver NONE = (id, pointer, name) -> {};

  /**
   * A task was entered.
   *
   * @param id the instance
   * @param pointer JSON pointer of the task
   * @param name name of the task
   */
  void entered(InstanceId id, String pointer, String name);

  /**
   * Whether {@link #happened} is wanted. Asked once, by each kernel; without it, events are not
   * even made.
   */
  default boolean hearsAll() {
    return false;
  }

  /** Something happened in an instance. */
  default void happened(HistoryEvent event) {}

  /**
   * An instance comes from a snapshot: what it did before was not heard this time.
   *
   * @param instance as it was then
   * @param sequence the highest number that a happening before it may have
   */
  default void restored(InstanceView instance, long sequence) {}
}
