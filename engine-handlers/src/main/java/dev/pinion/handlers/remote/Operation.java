package dev.pinion.handlers.remote;

/** Operations of a host. The order is part of the format. */
enum Operation {
  HANDLE,
  UNDO,
  ROLL_BACK
}
