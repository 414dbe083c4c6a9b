package dev.pinion.handlers.remote.protocol;

/** Reasons for a missing verdict. The order is part of the format. */
public enum FailureReason {
  /** The host has no room or is leaving; nothing has happened: try later or another host. */
  BUSY,
  /** The handler failed. */
  FAILED,
  /** The handler did not end in time. */
  TIMEOUT,
  /** A host was lost while it had the attempt; it is unknown whether it had its effect. */
  IN_DOUBT,
  /** The host has no such handler, or cannot make it. */
  NO_HANDLER,
  /** The answer is too large or cannot be written. */
  UNWRITABLE,
  /** The host does not know the version of the format. */
  UNKNOWN_VERSION
}
