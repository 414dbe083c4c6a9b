package dev.pinion.broker.model;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One implementation of a task: services in a pattern, and their promise for one invocation of the
 * task.
 *
 * @param pattern cooperation of the services
 * @param services in the order of their calls; of parallel ones, in that of the task
 * @param response mean response time in seconds
 * @param logReliability natural logarithm of the probability of success, at most 0
 * @param cost mean cost
 */
public record Implementation(
    CoordinationPattern pattern,
    List<ConcreteService> services,
    double response,
    double logReliability,
    double cost) {
  private static final Comparator<ConcreteService> FASTEST_FIRST =
      Comparator.comparingDouble(ConcreteService::response).thenComparing(ConcreteService::id);

  /** Copies the list. */
  public Implementation {
    services = List.copyOf(services);
  }

  /** One service. */
  public static Implementation single(ConcreteService service) {
    return new Implementation(
        CoordinationPattern.SINGLE,
        List.of(service),
        service.response(),
        Math.log(service.reliability()),
        service.cost());
  }

  /** Services in turn: each is called, waited for and paid when all before it have failed. */
  static Implementation alternate(List<ConcreteService> services) {
    double reached = 1;
    double response = 0;
    double cost = 0;
    for (ConcreteService each : services) {
      response += reached * each.response();
      cost += reached * each.cost();
      reached *= 1 - each.reliability();
    }
    return new Implementation(
        CoordinationPattern.ALTERNATE, services, response, logOfAny(services, reached), cost);
  }

  /** Services at once; all are paid, whichever is first. */
  static Implementation parallel(List<ConcreteService> services, ParallelResponse prediction) {
    double allFail = 1;
    double cost = 0;
    for (ConcreteService each : services) {
      allFail *= 1 - each.reliability();
      cost += each.cost();
    }
    double response =
        switch (prediction) {
          case FIRST_SUCCESS -> firstSuccess(services);
          case MIN -> services.stream().mapToDouble(ConcreteService::response).min().orElse(0);
        };
    return new Implementation(
        CoordinationPattern.PARALLEL, services, response, logOfAny(services, allFail), cost);
  }

  /**
   * Logarithm of the probability that at least one succeeds, also exact when all or none may fail.
   */
  private static double logOfAny(List<ConcreteService> services, double allFail) {
    if (allFail < 0.5) {
      return Math.log1p(-allFail);
    }
    double logAllFail = 0;
    for (ConcreteService each : services) {
      logAllFail += Math.log1p(-each.reliability());
    }
    return Math.log(-Math.expm1(logAllFail));
  }

  /** Mean time of the first success, or of the slowest when all fail, by order of mean times. */
  private static double firstSuccess(List<ConcreteService> services) {
    double allBeforeFailed = 1;
    double response = 0;
    double slowest = 0;
    for (ConcreteService each : services.stream().sorted(FASTEST_FIRST).toList()) {
      response += each.response() * each.reliability() * allBeforeFailed;
      allBeforeFailed *= 1 - each.reliability();
      slowest = each.response();
    }
    return response + slowest * allBeforeFailed;
  }

  /** Number of calls of the service at an index of {@link #services} for each invocation. */
  public double calls(int index) {
    double calls = 1;
    if (pattern == CoordinationPattern.ALTERNATE) {
      for (ConcreteService before : services.subList(0, index)) {
        calls *= 1 - before.reliability();
      }
    }
    return calls;
  }

  /** Whether a service takes part. */
  public boolean uses(String service) {
    return services.stream().anyMatch(each -> each.id().equals(service));
  }

  /** Name such as {@code single:a1}, {@code alt:a1>a2}, {@code par:a1|a2}. */
  public String label() {
    return services.stream()
        .map(ConcreteService::id)
        .collect(Collectors.joining(pattern.separator(), pattern.label() + ":", ""));
  }
}
