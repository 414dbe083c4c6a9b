package dev.pinion.broker.optimise;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.SawWeights;
import dev.pinion.broker.model.ServiceClass;
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
 * @param worth its coefficients of the objective
 * @param penalties costs of violated promises of this class; none when they must hold
 */
record ClassCoefficients(
    ServiceClass serviceClass,
    double rate,
    double leastServed,
    double mostServed,
    Worth worth,
    Optional<Penalties> penalties) {
  /**
   * Coefficients of the objective.
   *
   * @param perResponse for a second of mean response time
   * @param perLog for a unit of ln D
   * @param perCost for a unit of cost
   * @param perServed for the served fraction
   */
  record Worth(double perResponse, double perLog, double perCost, double perServed) {}

  /** The terms of all classes of a problem, by its objective and mode. */
  static List<ClassCoefficients> of(
      BrokerProblem problem, CandidateImplementations candidateImplementations) {
    double total = problem.classes().stream().mapToDouble(ServiceClass::rate).sum();
    List<ClassCoefficients> all = new ArrayList<>();
    for (ServiceClass each : problem.classes()) {
      double share = each.rate() / total;
      ClassCoefficients terms =
          switch (problem.options().objective()) {
            case PROFIT -> served(each, new Worth(0, 0, -each.rate(), each.rate() * each.price()));
            case SAW -> weighted(problem, candidateImplementations, each, share);
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
  static ClassCoefficients served(ServiceClass each, Worth worth) {
    return new ClassCoefficients(each, each.rate(), 1, 1, worth, Optional.empty());
  }

  /** A class that is served as a whole, whatever that is worth. */
  static ClassCoefficients served(ServiceClass each) {
    return served(each, new Worth(0, 0, 0, 0));
  }

  /** A class whose requests/s are unknown: a served fraction of 1 is one request/s. */
  static ClassCoefficients ofUnknownRate(ServiceClass each) {
    return new ClassCoefficients(
        each, 1, 0, Double.POSITIVE_INFINITY, new Worth(0, 0, 0, 1), Optional.empty());
  }

  private static ClassCoefficients weighted(
      BrokerProblem problem,
      CandidateImplementations candidateImplementations,
      ServiceClass each,
      double share) {
    Map<String, Double> visits = VisitRatios.of(problem.process(), each);
    SawWeights sawWeights = each.weights();
    NormalisationRange response =
        NormalisationRange.ofResponse(problem.process(), each, candidateImplementations);
    NormalisationRange log =
        NormalisationRange.ofSum(visits, candidateImplementations, Implementation::logReliability);
    NormalisationRange cost =
        NormalisationRange.ofSum(visits, candidateImplementations, Implementation::cost);
    double perResponse = response.isPoint() ? 0 : -share * sawWeights.response() / response.width();
    double perLog = log.isPoint() ? 0 : share * sawWeights.reliability() / log.width();
    double perCost = cost.isPoint() ? 0 : -share * sawWeights.cost() / cost.width();
    double perServed = -perResponse * response.high() - perLog * log.low() - perCost * cost.high();
    return served(each, new Worth(perResponse, perLog, perCost, perServed));
  }

  /** The same, but promises may be violated, each at its penalty times a weight. */
  private ClassCoefficients relaxed(Penalties from, double weight) {
    Penalties weighted =
        new Penalties(
            weight * from.response(),
            weight * from.reliability(),
            weight * from.cost(),
            weight * from.shed(),
            from.load());
    return new ClassCoefficients(
        serviceClass,
        rate,
        0,
        1,
        new Worth(
            worth.perResponse, worth.perLog, worth.perCost, worth.perServed + weighted.shed()),
        Optional.of(weighted));
  }

  /** Constant part of the objective: the penalty for serving nobody. */
  double offset() {
    return penalties.map(each -> -each.shed()).orElse(0.0);
  }
}
