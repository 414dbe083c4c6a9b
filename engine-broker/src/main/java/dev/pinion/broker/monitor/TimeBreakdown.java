package dev.pinion.broker.monitor;

import java.util.Map;

/**
 * Use of the time of the requests of a class. Sums are halved every minute.
 *
 * @param requests sums of requests that ended
 * @param calls by concrete service, seconds of its calls for the class; of parallel ones, those
 *     that were not cancelled
 */
public record TimeBreakdown(CallStatistics requests, Map<String, Double> calls) {
  /** Copies the map. */
  public TimeBreakdown {
    calls = Map.copyOf(calls);
  }
}
