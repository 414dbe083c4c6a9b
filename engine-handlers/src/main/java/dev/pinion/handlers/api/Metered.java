package dev.pinion.handlers.api;

import java.util.List;

/** A handler that counts something which operators want to see. */
public interface Metered extends Handler {
  /**
   * What it counts, as it stands now. Called by any thread, from time to time, also while messages
   * are handled; the names and labels of a handler's metrics are few and stay the same.
   */
  List<Metric> metrics();
}
