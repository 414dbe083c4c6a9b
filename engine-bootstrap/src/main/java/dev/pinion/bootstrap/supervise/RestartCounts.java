package dev.pinion.bootstrap.supervise;

import java.util.EnumMap;
import java.util.Map;

/** Restarts of one replica by reason. Used by the supervisor's thread only. */
final class RestartCounts {
  private final Map<RestartReason, Integer> counts = new EnumMap<>(RestartReason.class);
  private RestartReason latest = RestartReason.DIED;

  RestartCounts() {
    for (RestartReason each : RestartReason.values()) {
      counts.put(each, 0);
    }
  }

  /** Called at the end of a process, and when one could not be started. */
  void onEnd(RestartReason reason) {
    latest = reason;
  }

  /** Called when another process is started. */
  void onRestart() {
    counts.merge(latest, 1, Integer::sum);
  }

  /** A copy of the counts, with every reason. */
  Map<RestartReason, Integer> now() {
    return new EnumMap<>(counts);
  }
}
