package dev.pinion.core.stage;

/**
 * Wakes the reader of a lane when it may be asleep. Any thread may call it; cheap when the reader
 * is awake.
 */
@FunctionalInterface
public interface Wakeup {
  /** Nobody to wake: the caller drives the reader itself. */
  Wakeup NONE = () -> {};

  /** Makes sure that the reader runs another duty cycle after this call. */
  void signal();
}
