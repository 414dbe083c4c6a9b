package dev.pinion.core.loop;

/** What an event loop does when there is nothing to do. */
public enum Waiting {
  /** Sleeps until it is woken. */
  PARK,
  /** Looks again at once; for a CPU that the loop owns alone. */
  SPIN
}
