package dev.pinion.handlers.remote;

/** Why there is no verdict. The order is part of the format. */
enum Reason {
  /** The host has no room or is leaving; nothing has happened: another time or another host. */
  BUSY,
  /** The handler failed. */
  FAILED,
  /** The handler did not end in time. */
  TIMEOUT,
  /** A host was lost while it had the attempt, and nobody knows whether it had its effect. */
  IN_DOUBT,
  /** The host has no such handler, or cannot make it. */
  NO_HANDLER,
  /** The answer is too large or cannot be written. */
  UNWRITABLE,
  /** The host does not know the version of the format. */
  UNKNOWN_VERSION
}
