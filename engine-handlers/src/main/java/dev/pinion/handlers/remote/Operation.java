package dev.pinion.handlers.remote;

/** What a host is asked to call. The order is part of the format. */
enum Operation {
  HANDLE,
  UNDO,
  ROLL_BACK
}
