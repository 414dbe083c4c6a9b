package dev.pinion.broker.model;

/**
 * A service, with its provider's promise for one invocation.
 *
 * @param id its name, unique in a problem
 * @param response mean response time in seconds, at least 0
 * @param reliability probability of success, in (0, 1]
 * @param cost cost of an invocation, charged also when it fails, at least 0
 * @param load invocations/s that it accepts, at least 0; infinite when not limited
 */
public record ConcreteService(
    String id, double response, double reliability, double cost, double load) {
  /** Whether its load is limited. */
  public boolean isLimited() {
    return load < Double.POSITIVE_INFINITY;
  }
}
