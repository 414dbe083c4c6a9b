package dev.pinion.workloads.stub;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts of a stub since its start or its last reset, in the format of {@code GET /__stats}.
 *
 * @param total well-formed calls of all services
 * @param malformed requests that are not calls: wrong method, no such service, body not a JSON
 *     object or its {@code value} not an integer in range
 * @param failed calls, of the total, that failed by a script
 * @param services well-formed calls of each service, by name
 */
public record StubStatistics(long total, long malformed, long failed, Map<String, Long> services) {
  /** Copies the map, keeping its order. */
  public StubStatistics {
    services = Collections.unmodifiableMap(new LinkedHashMap<>(services));
  }
}
