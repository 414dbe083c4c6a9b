package dev.pinion.broker.model;

import java.util.OptionalDouble;

/**
 * Costs of violated promises under {@link PromiseMode#DEGRADED}, in units of the objective; each at
 * least 0.
 *
 * @param response for each multiple of the time bound by which it is exceeded
 * @param reliability for each unit of ln D that is missing
 * @param cost for each multiple of the cost bound by which it is exceeded
 * @param shed for not serving a class at all
 * @param load for each multiple of a service's load by which it is exceeded; none: loads hold
 */
public record Penalties(
    double response, double reliability, double cost, double shed, OptionalDouble load) {
  /**
   * Penalties for an objective: a class is shed only after its bounds were relaxed, and a unit of
   * ln D costs ten times a multiple of the time bound. Those of profit are an order of magnitude
   * higher because profit is not normalised.
   */
  public static Penalties of(Objective objective) {
    return switch (objective) {
      case SAW -> new Penalties(20, 200, 20, 50, OptionalDouble.empty());
      case PROFIT -> new Penalties(200, 2_000, 200, 500, OptionalDouble.empty());
    };
  }
}
