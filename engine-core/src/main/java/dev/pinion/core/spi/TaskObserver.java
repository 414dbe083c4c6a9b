package dev.pinion.core.spi;

import dev.pinion.core.model.InstanceId;

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
}
