package dev.pinion.broker.monitor;

import java.util.Map;

/**
 * What a class has had.
 *
 * @param arrivals requests/s over the last minute
 * @param levels of requests that ended within the last five minutes
 * @param minute of those of the last minute
 * @param trend of their mean time
 * @param span seconds of the five minutes that are known
 * @param requests decayed number of requests that visits are of
 * @param visits by abstract service, invocations for each request
 * @param spent what the time of requests was spent on
 */
public record ClassLevels(
    double arrivals,
    Tally levels,
    Tally minute,
    Trend trend,
    double span,
    double requests,
    Map<String, Double> visits,
    Spent spent) {
  /** Copies the map. */
  public ClassLevels {
    visits = Map.copyOf(visits);
  }
}
