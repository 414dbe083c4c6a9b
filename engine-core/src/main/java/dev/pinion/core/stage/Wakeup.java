package dev.pinion.core.stage;

/**
 * Wake-up of the reader of a lane, which may be asleep. Any thread may call it; cheap when the
 * reader is awake.
 */
@FunctionalInterface
public interface Wakeup {
  /** No wake-up: the caller drives the reader itself. */
  Wakeup NONE = () -> {};

  /** Makes sure that the reader runs another duty cycle after this call. */
  void signal();
}
