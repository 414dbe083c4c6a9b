package dev.pinion.handlers.remote.protocol;

/** Operations of a host. The order is part of the format. */
public enum HandlerOperation {
  HANDLE,
  UNDO,
  ROLL_BACK
}
