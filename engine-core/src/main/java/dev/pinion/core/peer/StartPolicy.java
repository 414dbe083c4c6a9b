package dev.pinion.core.peer;

/** Which replica takes a start. */
public enum StartPolicy {
  /** The one whose client asks. */
  LOCAL,
  /** Each in turn. */
  IN_TURN,
  /** The one with the least under way. */
  LEAST_LOADED
}
