package dev.pinion.broker.optimise;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A class in a program: its served fraction, its load, and its coefficients of the objective.
 *
 * @param serviceClass the class
 * @param rate requests/s of a served fraction of 1
 * @param leastServed least served fraction
 * @param mostServed greatest served fraction
 * @param perResponse objective for a second of mean response time
 * @param perLog objective for a unit of ln D
 * @param perCost objective for a unit of cost
 * @param perServed objective for the served fraction
 * @param penalties costs of violated promises of this class; none when they must hold
 */
record ClassTerms(
    ServiceClass serviceClass,
    double rate,
    double leastServed,
    double mostServed,
    double perResponse,
    double perLog,
    double perCost,
    double perServed,
    Optional<Penalties> penalties) {

  /** The terms of all classes of a problem, by its objective and mode. */
  static List<ClassTerms> of(BrokerProblem problem, Candidates candidates) {
    double total = problem.classes().stream().mapToDouble(ServiceClass::rate).sum();
    List<ClassTerms> all = new ArrayList<>();
    for (ServiceClass each : problem.classes()) {
      double share = each.rate() / total;
      ClassTerms terms =
          switch (problem.options().objective()) {
            case PROFIT -> served(each, 0, 0, -each.rate(), each.rate() * each.price());
            case SAW -> weighted(problem, candidates, each, share);
          };
      all.add(
          switch (problem.options().mode()) {
            case STRICT -> terms;
            case DEGRADED ->
                terms.relaxed(problem.options().penalties(), share * each.importance());
          });
    }
    return all;
  }

  /** A class that is served as a whole. */
  static ClassTerms served(
      ServiceClass each, double perResponse, double perLog, double perCost, double perServed) {
    return new ClassTerms(
        each, each.rate(), 1, 1, perResponse, perLog, perCost, perServed, Optional.empty());
  }

  /** A class whose requests/s are unknown: a served fraction of 1 is one request/s. */
  static ClassTerms ofUnknownRate(ServiceClass each) {
    return new ClassTerms(each, 1, 0, Double.POSITIVE_INFINITY, 0, 0, 0, 1, Optional.empty());
  }

  private static ClassTerms weighted(
      BrokerProblem problem, Candidates candidates, ServiceClass each, double share) {
    Map<String, Double> visits = Visits.of(problem.process(), each);
    Weights weights = each.weights();
    Range response = Range.ofResponse(problem.process(), each, candidates);
    Range log = Range.ofSum(visits, candidates, Implementation::logReliability);
    Range cost = Range.ofSum(visits, candidates, Implementation::cost);
    double perResponse = response.isPoint() ? 0 : -share * weights.response() / response.width();
    double perLog = log.isPoint() ? 0 : share * weights.reliability() / log.width();
    double perCost = cost.isPoint() ? 0 : -share * weights.cost() / cost.width();
    double perServed = -perResponse * response.high() - perLog * log.low() - perCost * cost.high();
    return served(each, perResponse, perLog, perCost, perServed);
  }

  /** The same, but promises may be violated, each at its penalty times a weight. */
  private ClassTerms relaxed(Penalties from, double weight) {
    Penalties weighted =
        new Penalties(
            weight * from.response(),
            weight * from.reliability(),
            weight * from.cost(),
            weight * from.shed(),
            from.load());
    return new ClassTerms(
        serviceClass,
        rate,
        0,
        1,
        perResponse,
        perLog,
        perCost,
        perServed + weighted.shed(),
        Optional.of(weighted));
  }

  /** Constant part of the objective: the penalty for serving nobody. */
  double offset() {
    return penalties.map(each -> -each.shed()).orElse(0.0);
  }
}
