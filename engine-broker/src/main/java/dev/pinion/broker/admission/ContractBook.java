package dev.pinion.broker.admission;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.Optimum;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All contracts in force, and a plan that keeps them: always published together. Immutable.
 *
 * @param version grows with every change
 * @param contracts by id, in the order they were taken on
 * @param problem what the contracts ask for in sum
 * @param plan keeps every contract of this book
 * @param isBest whether the plan is the best one; not so when contracts have ended since and no
 *     solver answered
 */
public record ContractBook(
    long version,
    Map<String, Contract> contracts,
    BrokerProblem problem,
    Optimum plan,
    boolean isBest) {
  /** Copies the map, in its order. */
  public ContractBook {
    contracts = Collections.unmodifiableMap(new LinkedHashMap<>(contracts));
  }

  /** The contracts of this book and one more. */
  Map<String, Contract> with(Contract contract) {
    Map<String, Contract> more = new LinkedHashMap<>(contracts);
    more.put(contract.id(), contract);
    return more;
  }

  /** The contracts of this book but one. */
  Map<String, Contract> without(String id) {
    Map<String, Contract> rest = new LinkedHashMap<>(contracts);
    rest.remove(id);
    return rest;
  }

  /** The classes of some contracts, each at the sum of their rates. */
  static List<ServiceClass> classes(Map<String, Contract> contracts) {
    Map<String, ServiceClass> classes = new LinkedHashMap<>();
    for (Contract each : contracts.values()) {
      classes.merge(
          each.serviceClass().id(),
          each.serviceClass(),
          (known, more) -> known.withRate(known.rate() + more.rate()));
    }
    return new ArrayList<>(classes.values());
  }
}
