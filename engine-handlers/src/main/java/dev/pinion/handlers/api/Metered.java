package dev.pinion.handlers.api;

import java.util.List;

/** A handler with counters for operators. */
public interface Metered extends Handler {
  /**
   * The current values of its counters. Called by any thread, now and then, also while messages are
   * handled; the names and labels of a handler's metrics are few and do not change.
   */
  List<Metric> metrics();
}
