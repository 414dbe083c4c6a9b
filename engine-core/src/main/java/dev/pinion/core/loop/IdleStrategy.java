package dev.pinion.core.loop;

/** Behaviour of an event loop without work. */
public enum IdleStrategy {
  /** Sleeps until it is woken. */
  PARK,
  /**
   * Sleeps until it is woken, and shares its CPU with other loops: wakes them at the end of its own
   * turn, all at once, and lets them run before a turn that follows at once.
   */
  SHARE,
  /** Polls after it has let other threads of its CPU run, and sleeps after a while without work. */
  YIELD,
  /**
   * Polls without a pause, and sleeps after a while without work; for a CPU that the loop owns
   * alone.
   */
  SPIN
}
