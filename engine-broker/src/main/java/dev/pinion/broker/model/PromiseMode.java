package dev.pinion.broker.model;

/** Whether promises may be violated. */
public enum PromiseMode {
  /** No: every request is served and every bound holds, or there is no solution. */
  STRICT,

  /** Yes, for a penalty. */
  DEGRADED
}
