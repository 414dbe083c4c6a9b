package dev.pinion.core.journal;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.model.InstanceId;

/**
 * Where a kernel records the events of its instances before it applies them. Replaying an
 * instance's events in order, at their times, rebuilds its state.
 */
public interface Journal {
  /** Keeps nothing: for definitions of durability {@code none}. */
  Journal NONE = (id, epochMillis, advances, event) -> {};

  /**
   * Records an event. Called by the kernel's thread; must not block.
   *
   * @param id the instance concerned
   * @param epochMillis wall-clock time at which the event is applied
   * @param advances how many times the instance had run one of its activities when the event came;
   *     an event may come while the instance is in the middle of its work on earlier ones, and a
   *     replay goes exactly as far before it applies the event
   * @param event the event
   */
  void append(InstanceId id, long epochMillis, long advances, KernelEvent event);
}
