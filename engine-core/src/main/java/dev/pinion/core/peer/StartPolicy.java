package dev.pinion.core.peer;

/** Which replica takes a start. */
public enum StartPolicy {
  /** The one whose client asks. */
  LOCAL,
  /** Each in turn, larger ones more often. */
  IN_TURN,
  /** The one with the least under way for its size. */
  LEAST_LOADED
}
