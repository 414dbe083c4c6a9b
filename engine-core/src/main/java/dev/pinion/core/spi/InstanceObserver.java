package dev.pinion.core.spi;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.InstanceView;

/**
 * Observer of what instances do, for history and tests. Called on kernel threads: must be quick and
 * must not block.
 */
@FunctionalInterface
public interface InstanceObserver {
  /** An observer that ignores everything. */
  InstanceObserver NONE = (id, pointer, name) -> {};

  /**
   * Reports that a task was entered.
   *
   * @param id the instance
   * @param pointer JSON pointer of the task
   * @param name name of the task
   */
  void onTaskEntered(InstanceId id, String pointer, String name);

  /**
   * Whether {@link #onEvent} is wanted. Called once, by each kernel; without it, events are not
   * even made.
   */
  default boolean observesAll() {
    return false;
  }

  /** Reports an event of an instance. */
  default void onEvent(HistoryEvent event) {}

  /**
   * Reports an instance from a snapshot, whose earlier events are not repeated.
   *
   * @param instance its view at the snapshot
   * @param sequence the highest number that an event before it may have
   */
  default void onRestored(InstanceView instance, long sequence) {}
}
