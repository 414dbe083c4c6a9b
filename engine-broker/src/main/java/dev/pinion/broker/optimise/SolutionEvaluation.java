package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.Solution;
import dev.pinion.broker.lp.VerifiedSolution;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Meaning of a solution. Everything is computed again from the shares: in the program, the time of
 * a flow is arbitrary when nothing minimises it.
 */
final class SolutionEvaluation {
  /** Shares below this are rounding errors of a solver. */
  private static final double LEAST_SHARE = 1e-9;

  private final BrokerProblem problem;
  private final Formulation formulation;
  private final Solution.ClaimedOptimum solution;

  private SolutionEvaluation(
      BrokerProblem problem, Formulation formulation, Solution.ClaimedOptimum solution) {
    this.problem = problem;
    this.formulation = formulation;
    this.solution = solution;
  }

  static OptimalPlan of(
      BrokerProblem problem, Formulation formulation, VerifiedSolution.ProvedOptimum answer) {
    return new SolutionEvaluation(problem, formulation, answer.solution()).optimum(answer);
  }

  private OptimalPlan optimum(VerifiedSolution.ProvedOptimum answer) {
    Map<String, Map<String, List<Share>>> shares = shares();
    List<ClassLevel> levels = new ArrayList<>();
    for (ServiceClass each : problem.classes()) {
      levels.add(level(problem, each, served(each.id()), shares.getOrDefault(each.id(), Map.of())));
    }
    Map<String, Double> slacks = slacks();
    return new OptimalPlan(
        answer.objective(),
        levels,
        new ActiveConstraints(problem, slacks).of(levels),
        slacks,
        prices(formulation, solution),
        new OptimalPlan.ProgramSize(
            formulation.pool().program().columns(), formulation.pool().program().rows()),
        answer.check());
  }

  /** The price of each row, by its name. */
  static Map<String, Double> prices(Formulation formulation, Solution.ClaimedOptimum solution) {
    Map<String, Double> prices = new LinkedHashMap<>();
    List<String> names = formulation.rowNames();
    for (int i = 0; i < names.size(); i++) {
      prices.put(names.get(i), solution.dual(i));
    }
    return prices;
  }

  /** By class and task, fractions of the invocations that are served. */
  private Map<String, Map<String, List<Share>>> shares() {
    Map<String, Map<String, List<Share>>> shares = new LinkedHashMap<>();
    formulation
        .assignments()
        .forEach(
            (column, each) -> {
              double served = served(each.serviceClass());
              if (served > LEAST_SHARE && solution.value(column) > LEAST_SHARE * served) {
                shares
                    .computeIfAbsent(each.serviceClass(), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(each.task(), _ -> new ArrayList<>())
                    .add(new Share(each.implementation(), solution.value(column)));
              }
            });
    shares.values().forEach(tasks -> tasks.replaceAll((_, each) -> normalised(each)));
    return shares;
  }

  private static List<Share> normalised(List<Share> shares) {
    double sum = shares.stream().mapToDouble(Share::fraction).sum();
    return shares.stream()
        .map(each -> new Share(each.implementation(), each.fraction() / sum))
        .sorted(Comparator.comparingDouble(Share::fraction).reversed())
        .toList();
  }

  private double served(String serviceClass) {
    return Math.clamp(solution.value(formulation.servedColumn(serviceClass)), 0, 1);
  }

  /** The levels of a class with given shares, of which a fraction is served. */
  static ClassLevel level(
      BrokerProblem problem, ServiceClass each, double served, Map<String, List<Share>> shares) {
    if (served <= LEAST_SHARE) {
      double nothing = Double.NaN;
      return new ClassLevel(each.id(), nothing, nothing, nothing, 0, Map.of());
    }
    Map<String, Double> visits = VisitRatios.of(problem.process(), each);
    double response =
        ResponseTimeModel.of(
            problem.process(), each, task -> mean(shares, task, Implementation::response));
    Map<String, List<Share>> ordered = new LinkedHashMap<>();
    double log = 0;
    double cost = 0;
    for (Map.Entry<String, Double> visit : visits.entrySet()) {
      String task = visit.getKey();
      log += visit.getValue() * mean(shares, task, Implementation::logReliability);
      cost += visit.getValue() * mean(shares, task, Implementation::cost);
      ordered.put(task, Objects.requireNonNull(shares.get(task), task));
    }
    return new ClassLevel(each.id(), response, log, cost, served, ordered);
  }

  private static double mean(
      Map<String, List<Share>> shares, String task, ToDoubleFunction<Implementation> value) {
    return Objects.requireNonNull(shares.get(task), task).stream()
        .mapToDouble(each -> each.fraction() * value.applyAsDouble(each.implementation()))
        .sum();
  }

  private Map<String, Double> slacks() {
    Map<String, Double> slacks = new TreeMap<>();
    formulation
        .slackColumns()
        .forEach(
            (row, column) -> {
              if (solution.value(column) > LEAST_SHARE) {
                slacks.put(row, solution.value(column));
              }
            });
    return slacks;
  }
}
