package dev.pinion.broker.monitor;

import java.util.Map;

/**
 * What the time of the requests of a class was spent on. Sums are halved every minute.
 *
 * @param requests of requests that ended
 * @param calls by concrete service, seconds of its calls for the class; of those made at once, the
 *     ones that were not cancelled
 */
public record Spent(Tally requests, Map<String, Double> calls) {
  /** Copies the map. */
  public Spent {
    calls = Map.copyOf(calls);
  }
}
