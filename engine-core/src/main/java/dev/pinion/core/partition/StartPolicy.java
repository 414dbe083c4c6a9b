package dev.pinion.core.partition;

/** Choice of the replica for a start. */
public enum StartPolicy {
  /** The replica of the client's connection. */
  LOCAL,
  /** Each in turn, larger ones more often. */
  IN_TURN,
  /** The one with the least load for its size. */
  LEAST_LOADED
}
