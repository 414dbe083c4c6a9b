package dev.pinion.handlers.remote;

/** Operations of a host. The order is part of the format. */
enum HandlerOperation {
  HANDLE,
  UNDO,
  ROLL_BACK
}
