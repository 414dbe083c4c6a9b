package dev.pinion.broker.optimise;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of a plan in a problem other than its own, such as the same with other times.
 *
 * @param breach greatest violation of a bound, relative to that bound, 0 or less when it keeps all;
 *     infinite when it does not serve everybody
 * @param objective value of the objective, on the scale of {@link OptimalPlan#objective} in strict
 *     mode
 * @param levels levels of each class
 */
public record PlanReview(double breach, double objective, List<ClassLevel> levels) {
  /** Relative tolerance of bounds, the same as of solvers. */
  private static final double TOLERANCE = 1e-6;

  /** Bounds of ln D and loads nearer to 0 count as this. */
  private static final double LEAST_BOUND = 1e-3;

  /** Copies the list. */
  public PlanReview {
    levels = List.copyOf(levels);
  }

  /** Whether it serves everybody and keeps all bounds. */
  public boolean feasible() {
    return breach <= TOLERANCE;
  }

  /**
   * Reviews a plan.
   *
   * @param problem in strict mode
   * @param plan the classes of the plan
   * @return empty when it lacks a class or task, or calls services that the problem does not have
   */
  public static Optional<PlanReview> of(BrokerProblem problem, List<ClassLevel> plan) {
    CandidateImplementations candidateImplementations = CandidateImplementations.of(problem);
    Map<String, ClassLevel> byClass = new HashMap<>();
    plan.forEach(each -> byClass.put(each.id(), each));
    List<ClassLevel> levels = new ArrayList<>();
    double breach = Double.NEGATIVE_INFINITY;
    double objective = 0;
    for (ClassCoefficients terms : ClassCoefficients.of(problem, candidateImplementations)) {
      ServiceClass each = terms.serviceClass();
      ClassLevel before = byClass.get(each.id());
      if (before == null) {
        return Optional.empty();
      }
      Map<String, List<Share>> shares = new LinkedHashMap<>();
      for (String task : VisitRatios.of(problem.process(), each).keySet()) {
        List<Share> now = renewed(before.shares().get(task), candidateImplementations.of(task));
        if (now.isEmpty()) {
          return Optional.empty();
        }
        shares.put(task, now);
      }
      ClassLevel level = SolutionEvaluation.level(problem, each, before.served(), shares);
      levels.add(level);
      breach =
          Math.max(
              breach,
              before.served() >= 1 - TOLERANCE ? breach(each, level) : Double.POSITIVE_INFINITY);
      objective +=
          before.served()
              * (terms.worth().perServed()
                  + terms.worth().perResponse() * level.response()
                  + terms.worth().perLog() * level.logReliability()
                  + terms.worth().perCost() * level.cost());
    }
    return Optional.of(
        new PlanReview(Math.max(breach, overload(problem, levels)), objective, levels));
  }

  private static List<Share> renewed(@Nullable List<Share> before, List<Implementation> known) {
    List<Share> now = new ArrayList<>();
    for (Share share : before == null ? List.<Share>of() : before) {
      String label = share.implementation().label();
      Optional<Implementation> same =
          known.stream().filter(each -> each.label().equals(label)).findFirst();
      if (same.isEmpty()) {
        return List.of();
      }
      now.add(new Share(same.get(), share.fraction()));
    }
    return List.copyOf(now);
  }

  private static double breach(ServiceClass each, ClassLevel level) {
    double breach = Double.NEGATIVE_INFINITY;
    if (each.boundsResponse()) {
      breach = over(level.response(), each.maxResponse());
    }
    if (each.boundsCost()) {
      breach = Math.max(breach, over(level.cost(), each.maxCost()));
    }
    if (each.boundsReliability()) {
      breach = Math.max(breach, over(-level.logReliability(), -Math.log(each.minReliability())));
    }
    return breach;
  }

  private static double over(double level, double bound) {
    return (level - bound) / Math.max(bound, LEAST_BOUND);
  }

  private static double overload(BrokerProblem problem, List<ClassLevel> levels) {
    Map<String, Double> loads = new HashMap<>();
    for (ClassLevel level : levels) {
      ServiceClass each = problem.serviceClass(level.id()).orElseThrow();
      VisitRatios.of(problem.process(), each)
          .forEach(
              (task, visits) ->
                  level
                      .shares()
                      .getOrDefault(task, List.of())
                      .forEach(share -> add(loads, share, each.rate() * visits)));
    }
    return problem.services().stream()
        .filter(ConcreteService::isLimited)
        .mapToDouble(each -> over(loads.getOrDefault(each.id(), 0.0), each.load()))
        .max()
        .orElse(Double.NEGATIVE_INFINITY);
  }

  private static void add(Map<String, Double> loads, Share share, double invocations) {
    List<ConcreteService> members = share.implementation().services();
    for (int i = 0; i < members.size(); i++) {
      double calls = invocations * share.fraction() * share.implementation().calls(i);
      loads.merge(members.get(i).id(), calls, Double::sum);
    }
  }
}
