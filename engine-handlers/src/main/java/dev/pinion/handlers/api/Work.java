package dev.pinion.handlers.api;

/** Kind of a handler's work; decides how many of them should run concurrently. */
public enum Work {
  /** About a fraction of a microsecond of computing: not worth a hand-over to another thread. */
  CHEAP,
  /** Computing: running more than the number of CPUs at once gains nothing. */
  CPU,
  /** Waiting for a disk, a network or another process. */
  IO
}
