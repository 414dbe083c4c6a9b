package dev.pinion.core.journal;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.model.InstanceId;

/**
 * Where a kernel records the events of its instances before it applies them. Replaying an
 * instance's events in order, at their times, rebuilds its state.
 */
public interface Journal {
  /** Keeps nothing: for definitions of durability {@code none}. */
  Journal NONE = (id, epochMillis, event) -> {};

  /**
   * Records an event. Called by the kernel's thread; must not block.
   *
   * @param id the instance concerned
   * @param epochMillis wall-clock time at which the event is applied
   * @param event the event
   */
  void append(InstanceId id, long epochMillis, KernelEvent event);
}
