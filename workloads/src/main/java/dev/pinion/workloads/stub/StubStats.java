package dev.pinion.workloads.stub;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a stub has received since its start or its last reset, as {@code GET /__stats} shows it.
 *
 * @param total well-formed calls of all services
 * @param malformed requests that are no call: wrong method, no such service, body not a JSON object
 *     or its {@code value} not an integer in range
 * @param failed calls, of the total, that a script made fail
 * @param services well-formed calls of each service, by name
 */
public record StubStats(long total, long malformed, long failed, Map<String, Long> services) {
  /** Copies the map, keeping its order. */
  public StubStats {
    services = Collections.unmodifiableMap(new LinkedHashMap<>(services));
  }
}
