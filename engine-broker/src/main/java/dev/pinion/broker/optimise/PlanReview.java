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
 * What a plan that was made for one problem is worth in another, such as the same with other times.
 *
 * @param feasible whether it serves everybody and keeps all bounds
 * @param objective what it reaches, on the scale of {@link Optimum#objective} in strict mode
 * @param levels what it does for each class
 */
public record PlanReview(boolean feasible, double objective, List<ClassLevel> levels) {
  /** By how much a bound may be missed, relatively: what solvers allow themselves. */
  private static final double TOLERANCE = 1e-6;

  /** Copies the list. */
  public PlanReview {
    levels = List.copyOf(levels);
  }

  /**
   * Reviews a plan.
   *
   * @param problem in strict mode
   * @param plan the classes of the plan
   * @return empty when it says nothing of a class or task, or calls what the problem does not have
   */
  public static Optional<PlanReview> of(BrokerProblem problem, List<ClassLevel> plan) {
    Candidates candidates = Candidates.of(problem);
    Map<String, ClassLevel> byClass = new HashMap<>();
    plan.forEach(each -> byClass.put(each.id(), each));
    List<ClassLevel> levels = new ArrayList<>();
    boolean feasible = true;
    double objective = 0;
    for (ClassTerms terms : ClassTerms.of(problem, candidates)) {
      ServiceClass each = terms.serviceClass();
      ClassLevel before = byClass.get(each.id());
      if (before == null) {
        return Optional.empty();
      }
      Map<String, List<Share>> shares = new LinkedHashMap<>();
      for (String task : Visits.of(problem.process(), each).keySet()) {
        List<Share> now = renewed(before.shares().get(task), candidates.of(task));
        if (now.isEmpty()) {
          return Optional.empty();
        }
        shares.put(task, now);
      }
      ClassLevel level = Evaluation.level(problem, each, before.served(), shares);
      levels.add(level);
      feasible &= before.served() >= 1 - TOLERANCE && keeps(each, level);
      objective +=
          before.served()
              * (terms.perServed()
                  + terms.perResponse() * level.response()
                  + terms.perLog() * level.logReliability()
                  + terms.perCost() * level.cost());
    }
    return Optional.of(new PlanReview(feasible && carries(problem, levels), objective, levels));
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

  private static boolean keeps(ServiceClass each, ClassLevel level) {
    double leastLog = Math.log(each.minReliability());
    return level.response() <= each.maxResponse() * (1 + TOLERANCE)
        && level.logReliability() >= leastLog - TOLERANCE
        && level.cost() <= each.maxCost() * (1 + TOLERANCE);
  }

  private static boolean carries(BrokerProblem problem, List<ClassLevel> levels) {
    Map<String, Double> loads = new HashMap<>();
    for (ClassLevel level : levels) {
      ServiceClass each = problem.serviceClass(level.id()).orElseThrow();
      Visits.of(problem.process(), each)
          .forEach(
              (task, visits) ->
                  level
                      .shares()
                      .getOrDefault(task, List.of())
                      .forEach(share -> add(loads, share, each.rate() * visits)));
    }
    return problem.services().stream()
        .filter(ConcreteService::isLimited)
        .allMatch(
            each ->
                loads.getOrDefault(each.id(), 0.0) <= each.load() * (1 + TOLERANCE) + TOLERANCE);
  }

  private static void add(Map<String, Double> loads, Share share, double invocations) {
    List<ConcreteService> members = share.implementation().services();
    for (int i = 0; i < members.size(); i++) {
      double calls = invocations * share.fraction() * share.implementation().calls(i);
      loads.merge(members.get(i).id(), calls, Double::sum);
    }
  }
}
