package dev.pinion.broker.optimise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.SawWeights;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.model.SolveOptions;
import dev.pinion.broker.optimise.IndependentModel.Column;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Checks plans without the optimiser's program: levels are computed again by {@link
 * IndependentModel}, bounds are checked one by one, and optimality follows from weak duality: any
 * prices bound the objective of every plan, and the given ones do so at the plan's own objective.
 * Infeasibility follows in the same way. The source of the prices is irrelevant.
 */
public final class IndependentCheck {
  private static final double TOLERANCE = 1e-6;

  private final BrokerProblem problem;
  private final boolean relaxed;
  private final Penalties penalties;
  private final Map<String, List<Column>> columns = new HashMap<>();

  /** Checks plans of a problem, by its mode. */
  public IndependentCheck(BrokerProblem problem) {
    this.problem = problem;
    relaxed = problem.options().mode() == PromiseMode.DEGRADED;
    penalties = problem.options().penalties();
    for (AbstractTask task : problem.tasks()) {
      columns.put(task.id(), IndependentModel.columns(task, problem.options()));
    }
  }

  /** A class and its derived values. */
  private final class One {
    final ServiceClass promised;
    final IndependentModel model;
    final Map<String, Double> visits;
    final double share;
    final double perResponse;
    final double perLog;
    final double perCost;
    final double perServed;

    One(ServiceClass promised) {
      this.promised = promised;
      model = new IndependentModel(problem.process(), promised);
      visits = model.visits();
      double total = problem.classes().stream().mapToDouble(ServiceClass::rate).sum();
      share = promised.rate() / total;
      if (problem.options().objective() == Objective.PROFIT) {
        perResponse = 0;
        perLog = 0;
        perCost = promised.rate();
        perServed = promised.rate() * promised.price();
        return;
      }
      double slowest = model.response(task -> extreme(task, Column::response, true));
      double fastest = model.response(task -> extreme(task, Column::response, false));
      perResponse = per(promised.weights().response(), slowest - fastest);
      perLog =
          per(promised.weights().reliability(), sum(Column::log, true) - sum(Column::log, false));
      perCost = per(promised.weights().cost(), sum(Column::cost, true) - sum(Column::cost, false));
      perServed =
          perResponse * slowest
              - perLog * sum(Column::log, false)
              + perCost * sum(Column::cost, true);
    }

    private double per(double weight, double width) {
      return width <= 1e-12 ? 0 : share * weight / width;
    }

    private double sum(ToDoubleFunction<Column> value, boolean greatest) {
      return visits.entrySet().stream()
          .mapToDouble(each -> each.getValue() * extreme(each.getKey(), value, greatest))
          .sum();
    }

    double shed() {
      return relaxed ? share * promised.importance() * penalties.shed() : 0;
    }
  }

  private List<Column> columns(String task) {
    return Objects.requireNonNull(columns.get(task));
  }

  private double extreme(String task, ToDoubleFunction<Column> value, boolean greatest) {
    var all = columns(task).stream().mapToDouble(value).summaryStatistics();
    return greatest ? all.getMax() : all.getMin();
  }

  /** Checks that every bound holds, levels are as stated, and no plan is better. */
  public void isBest(OptimalPlan plan) {
    isKept(plan);
    double objective = objective(plan);
    same("the objective", objective, plan.objective());
    double bound = bound(plan.prices());
    assertTrue(
        bound - objective <= TOLERANCE * Math.max(1, Math.abs(objective)),
        "objective " + objective + ", but only " + bound + " is the bound");
    assertTrue(bound - objective >= -TOLERANCE * Math.max(1, Math.abs(objective)), "weak duality");
  }

  /** Checks that every bound holds, or is violated as much as stated, and levels are as stated. */
  public void isKept(OptimalPlan plan) {
    Map<String, Double> loads = new HashMap<>();
    for (int i = 0; i < plan.classes().size(); i++) {
      One one = new One(problem.classes().get(i));
      ClassLevel level = plan.classes().get(i);
      assertTrue(relaxed || level.served() == 1, "served");
      if (level.served() > 0) {
        checkLevel(one, level, plan.slacks(), loads);
      }
    }
    for (ConcreteService each : problem.services()) {
      double most = each.load() * (1 + slack(plan.slacks(), "load:" + each.id()));
      double load = loads.getOrDefault(each.id(), 0.0);
      assertTrue(load <= most + TOLERANCE * Math.max(1, load), each + " has " + load);
    }
  }

  private static double slack(Map<String, Double> slacks, String name) {
    return Objects.requireNonNullElse(slacks.get(name), 0.0);
  }

  private void checkLevel(
      One one, ClassLevel level, Map<String, Double> slacks, Map<String, Double> loads) {
    double response = one.model.response(task -> mean(level, task, Column::response));
    double log = 0;
    double cost = 0;
    assertEquals(one.visits.keySet(), level.shares().keySet());
    for (Map.Entry<String, Double> visit : one.visits.entrySet()) {
      String task = visit.getKey();
      log += visit.getValue() * mean(level, task, Column::log);
      cost += visit.getValue() * mean(level, task, Column::cost);
      double rate = one.promised.rate() * level.served() * visit.getValue();
      for (Share share : shares(level, task)) {
        column(task, share)
            .calls()
            .forEach((id, calls) -> loads.merge(id, rate * share.fraction() * calls, Double::sum));
      }
    }
    same("R", response, level.response());
    same("lnD", log, level.logReliability());
    same("C", cost, level.cost());
    String sla = "sla:" + level.id() + ":";
    double served = level.served();
    atMost(
        sla + "r", response, one.promised.maxResponse() * (1 + slack(slacks, sla + "r") / served));
    atMost(
        sla + "d",
        -log,
        -Math.log(one.promised.minReliability()) + slack(slacks, sla + "d") / served);
    atMost(sla + "c", cost, one.promised.maxCost() * (1 + slack(slacks, sla + "c") / served));
  }

  private static void same(String what, double wanted, double found) {
    assertEquals(wanted, found, TOLERANCE * Math.max(1, Math.abs(wanted)), what);
  }

  private static void atMost(String what, double value, double most) {
    assertTrue(value <= most + TOLERANCE * Math.max(1, Math.abs(value)), what + ": " + value);
  }

  private static List<Share> shares(ClassLevel level, String task) {
    List<Share> shares = Objects.requireNonNull(level.shares().get(task));
    assertEquals(1, shares.stream().mapToDouble(Share::fraction).sum(), 1e-12);
    return shares;
  }

  private Column column(String task, Share share) {
    return columns(task).stream()
        .filter(each -> each.label().equals(share.implementation().label()))
        .findFirst()
        .orElseThrow();
  }

  private double mean(ClassLevel level, String task, ToDoubleFunction<Column> value) {
    double sum = 0;
    for (Share share : shares(level, task)) {
      sum += share.fraction() * value.applyAsDouble(column(task, share));
    }
    return sum;
  }

  /** The objective of a plan, from its levels. */
  double objective(OptimalPlan plan) {
    double sum = 0;
    for (int i = 0; i < plan.classes().size(); i++) {
      One one = new One(problem.classes().get(i));
      ClassLevel level = plan.classes().get(i);
      double served = level.served();
      double weight = one.share * one.promised.importance();
      String sla = "sla:" + level.id() + ":";
      sum -= one.shed() * (1 - served);
      sum -= weight * penalties.response() * slack(plan.slacks(), sla + "r");
      sum -= weight * penalties.reliability() * slack(plan.slacks(), sla + "d");
      sum -= weight * penalties.cost() * slack(plan.slacks(), sla + "c");
      if (served > 0) {
        sum +=
            served
                * (one.perServed
                    - one.perResponse * level.response()
                    + one.perLog * level.logReliability()
                    - one.perCost * level.cost());
      }
    }
    for (ConcreteService each : problem.services()) {
      sum -= penalties.load().orElse(0) * slack(plan.slacks(), "load:" + each.id());
    }
    return sum;
  }

  /** An upper bound of the objective of any plan, by some prices. */
  private double bound(Map<String, Double> prices) {
    double bound = 0;
    Map<String, Double> loadPrices = new HashMap<>();
    for (ConcreteService each : problem.services()) {
      if (each.isLimited()) {
        double price = price(prices, "load:" + each.id(), 1);
        if (relaxed && penalties.load().isPresent() && each.load() > 0) {
          price = Math.min(price, penalties.load().getAsDouble() / each.load());
        }
        loadPrices.put(each.id(), price);
        bound += price * each.load();
      }
    }
    for (ServiceClass each : problem.classes()) {
      One one = new One(each);
      double served = one.perServed + one.shed() + most(one, prices, loadPrices);
      bound += (relaxed ? Math.max(0, served) : served) - one.shed();
    }
    return bound;
  }

  private static double price(Map<String, Double> prices, String row, int sign) {
    return Math.max(0, sign * Objects.requireNonNullElse(prices.get(row), 0.0));
  }

  /** Greatest value of serving a class as a whole, besides {@code perServed}. */
  private double most(One one, Map<String, Double> prices, Map<String, Double> loadPrices) {
    ServiceClass promised = one.promised;
    String sla = "sla:" + promised.id() + ":";
    double weight = one.share * promised.importance();
    double time = price(prices, sla + "r", 1);
    double log = price(prices, sla + "d", -1);
    double money = price(prices, sla + "c", 1);
    if (relaxed) { // a bound is worth no more than violating it costs
      time = Math.min(time, weight * penalties.response() / promised.maxResponse());
      log = Math.min(log, weight * penalties.reliability());
      money = Math.min(money, weight * penalties.cost() / promised.maxCost());
    }
    double sum = promised.boundsResponse() ? time * promised.maxResponse() : 0;
    sum -= promised.boundsReliability() ? log * Math.log(promised.minReliability()) : 0;
    sum += promised.boundsCost() ? money * promised.maxCost() : 0;
    Map<String, Double> form = one.model.pricedForm(prices);
    for (Map.Entry<String, Double> visit : one.visits.entrySet()) {
      double best = Double.NEGATIVE_INFINITY;
      double seconds = form.getOrDefault(visit.getKey(), 0.0);
      for (Column each : columns(visit.getKey())) {
        double value = -(time + one.perResponse) * seconds * each.response();
        value += visit.getValue() * (log + one.perLog) * each.log();
        value -= visit.getValue() * (money + one.perCost) * each.cost();
        for (Map.Entry<String, Double> calls : each.calls().entrySet()) {
          double load = promised.rate() * visit.getValue() * calls.getValue();
          value -= loadPrices.getOrDefault(calls.getKey(), 0.0) * load;
        }
        best = Math.max(best, value);
      }
      sum += best;
    }
    return sum;
  }

  /**
   * Checks that no plan keeps all bounds: weighted by the prices, every plan violates their sum.
   *
   * @param prices at least 0 in the direction of each bound
   */
  public void hasNoPlan(Map<String, Double> prices) {
    double best = 0;
    Map<String, Double> loadPrices = new HashMap<>();
    for (ConcreteService each : problem.services()) {
      if (each.isLimited()) {
        loadPrices.put(each.id(), price(prices, "load:" + each.id(), 1));
        best += price(prices, "load:" + each.id(), 1) * each.load();
      }
    }
    List<One> ones = new ArrayList<>();
    problem.classes().forEach(each -> ones.add(new One(each)));
    for (One one : ones) {
      best += withoutObjective(one, prices, loadPrices);
    }
    assertTrue(best < -1e-9, "a plan could keep the weighted sum of bounds by " + best);
  }

  private double withoutObjective(
      One one, Map<String, Double> prices, Map<String, Double> loadPrices) {
    BrokerProblem plain =
        problem
            .withClasses(List.of(one.promised))
            .withOptions(
                new SolveOptions(
                    problem.options().maxAlternates(),
                    problem.options().maxParallel(),
                    problem.options().parallelResponse(),
                    Objective.SAW,
                    PromiseMode.STRICT,
                    penalties));
    IndependentCheck check =
        new IndependentCheck(plain.withClasses(List.of(withoutWeights(one.promised))));
    return check.most(check.new One(withoutWeights(one.promised)), prices, loadPrices);
  }

  private static ServiceClass withoutWeights(ServiceClass each) {
    return new ServiceClass(
        each.id(),
        each.rate(),
        new ServiceClass.Promise(each.maxResponse(), each.minReliability(), each.maxCost()),
        each.price(),
        each.importance(),
        SawWeights.NONE,
        each.usage());
  }
}
