package dev.pinion.broker.optimise;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.ServiceClass;
import java.util.List;

/** The same problem in other units of time, cost and rate. */
final class ScaledProblem {
  private final double time;
  private final double cost;
  private final double rate;

  private ScaledProblem(double[] scale) {
    time = scale[0];
    cost = scale[1];
    rate = scale[2];
  }

  /**
   * Scales a problem.
   *
   * @param scale of time, cost and rate
   */
  static BrokerProblem of(BrokerProblem problem, double[] scale) {
    ScaledProblem scaled = new ScaledProblem(scale);
    return new BrokerProblem(
        problem.id(),
        problem.options(),
        problem.process(),
        scaled.services(problem.services()),
        problem.tasks().stream()
            .map(
                each ->
                    new AbstractTask(each.id(), scaled.services(each.services()), each.patterns()))
            .toList(),
        problem.classes().stream().map(scaled::serviceClass).toList(),
        problem.admission());
  }

  private List<ConcreteService> services(List<ConcreteService> services) {
    return services.stream()
        .map(
            each ->
                new ConcreteService(
                    each.id(),
                    each.response() * time,
                    each.reliability(),
                    each.cost() * cost,
                    each.load() * rate))
        .toList();
  }

  private ServiceClass serviceClass(ServiceClass each) {
    return new ServiceClass(
        each.id(),
        each.rate() * rate,
        new ServiceClass.Promise(
            each.maxResponse() * time, each.minReliability(), each.maxCost() * cost),
        each.price() * cost,
        each.importance(),
        each.weights(),
        each.usage());
  }
}
