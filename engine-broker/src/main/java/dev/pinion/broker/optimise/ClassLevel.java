package dev.pinion.broker.optimise;

import dev.pinion.broker.model.Share;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Levels of a class in a plan. When nothing of it is served, times, costs and logarithms are not
 * numbers, and there are no shares.
 *
 * @param id the class
 * @param response predicted mean response time in seconds, by the true maximum of flows
 * @param logReliability predicted natural logarithm of the probability of success
 * @param cost predicted mean cost of a request
 * @param served fraction of requests served, in [0, 1]; the others are refused at the front
 * @param shares shares of the invocations by task, in the order of the process
 */
public record ClassLevel(
    String id,
    double response,
    double logReliability,
    double cost,
    double served,
    Map<String, List<Share>> shares) {
  /** Copies the map, in its order. */
  public ClassLevel {
    shares = Collections.unmodifiableMap(new LinkedHashMap<>(shares));
  }

  /** Predicted probability of success. */
  public double reliability() {
    return Math.exp(logReliability);
  }
}
