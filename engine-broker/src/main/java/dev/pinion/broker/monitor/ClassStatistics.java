package dev.pinion.broker.monitor;

import java.util.Map;

/**
 * Observed levels of a class.
 *
 * @param arrivals requests/s over the last minute
 * @param levels sums of requests that ended within the last five minutes
 * @param minute sums of those of the last minute
 * @param trend trend of their mean time
 * @param span seconds of the five minutes with observations
 * @param requests decayed number of the requests of the visits
 * @param visits by abstract service, invocations for each request
 * @param spent use of the time of requests
 */
public record ClassStatistics(
    double arrivals,
    CallStatistics levels,
    CallStatistics minute,
    LatencyTrend trend,
    double span,
    double requests,
    Map<String, Double> visits,
    TimeBreakdown spent) {
  /** Copies the map. */
  public ClassStatistics {
    visits = Map.copyOf(visits);
  }
}
