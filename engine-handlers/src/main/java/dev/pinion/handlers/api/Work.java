package dev.pinion.handlers.api;

/** What a handler spends its time on; decides how many of them are worth running at once. */
public enum Work {
  /** A fraction of a microsecond or so of computing: not worth a hand-over to another thread. */
  CHEAP,
  /** Computing: more at once than CPUs makes nothing faster. */
  CPU,
  /** Waiting for a disk, a network or another process. */
  IO
}
