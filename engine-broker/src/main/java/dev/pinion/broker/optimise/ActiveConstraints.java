package dev.pinion.broker.optimise;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tight bounds of a plan. */
final class ActiveConstraints {
  /** Distance of a tight bound, relative to the bound or to 1. */
  private static final double NEAR = 1e-7;

  private final BrokerProblem problem;
  private final Map<String, Double> slacks;
  private final List<String> tight = new ArrayList<>();

  /**
   * The bounds of a problem.
   *
   * @param slacks allowed violations, by name
   */
  ActiveConstraints(BrokerProblem problem, Map<String, Double> slacks) {
    this.problem = problem;
    this.slacks = slacks;
  }

  /** The names of the bounds, classes first. */
  List<String> of(List<ClassLevel> levels) {
    Map<String, Double> loads = new HashMap<>();
    for (int i = 0; i < levels.size(); i++) {
      addPromises(problem.classes().get(i), levels.get(i));
      addLoads(problem.classes().get(i), levels.get(i), loads);
    }
    for (ConcreteService each : problem.services()) {
      if (each.isLimited()) {
        String name = "load:" + each.id();
        double most = each.load() * (1 + slack(name));
        add(name, loads.getOrDefault(each.id(), 0.0), most);
      }
    }
    return tight;
  }

  private double slack(String name) {
    return slacks.getOrDefault(name, 0.0);
  }

  private void addPromises(ServiceClass promised, ClassLevel level) {
    double served = level.served();
    if (served == 0) {
      return;
    }
    String name = "sla:" + level.id() + ":";
    if (promised.boundsResponse()) {
      double most = promised.maxResponse() * (served + slack(name + "r"));
      add(name + "r", level.response() * served, most);
    }
    if (promised.boundsReliability()) {
      double least = Math.log(promised.minReliability()) * served - slack(name + "d");
      add(name + "d", -level.logReliability() * served, -least);
    }
    if (promised.boundsCost()) {
      double most = promised.maxCost() * (served + slack(name + "c"));
      add(name + "c", level.cost() * served, most);
    }
  }

  private void addLoads(ServiceClass each, ClassLevel level, Map<String, Double> loads) {
    Map<String, Double> visits = VisitRatios.of(problem.process(), each);
    level
        .shares()
        .forEach(
            (task, shares) -> {
              double rate = each.rate() * level.served() * visits.getOrDefault(task, 0.0);
              shares.forEach(share -> addLoads(share, rate, loads));
            });
  }

  private static void addLoads(Share share, double rate, Map<String, Double> loads) {
    Implementation implementation = share.implementation();
    for (int i = 0; i < implementation.services().size(); i++) {
      double load = rate * share.fraction() * implementation.calls(i);
      loads.merge(implementation.services().get(i).id(), load, Double::sum);
    }
  }

  private void add(String name, double value, double most) {
    if (value >= most - NEAR * Math.max(1, Math.abs(most))) {
      tight.add(name);
    }
  }
}
