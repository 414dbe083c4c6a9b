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
 * @param visited invocations of abstract services
 * @param spent use of the time of requests
 */
public record ClassStatistics(
    double arrivals,
    CallStatistics levels,
    CallStatistics minute,
    LatencyTrend trend,
    double span,
    VisitStatistics visited,
    TimeBreakdown spent) {
  /**
   * Invocations of abstract services.
   *
   * @param requests decayed number of requests
   * @param visits by abstract service, invocations for each request
   */
  public record VisitStatistics(double requests, Map<String, Double> visits) {
    /** Copies the map. */
    public VisitStatistics {
      visits = Map.copyOf(visits);
    }
  }
}
