package dev.pinion.broker.registry;

import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The table by which replicas bind calls: a solution, with the data of its services.
 *
 * @param version from 1; grows with every table
 * @param defaultClass the class of callers without a class, or with an unknown one
 * @param registry the services, also those without a share: calls may still be bound to them
 * @param bindings shares by abstract service, by class; those of one sum up to 1. A class that is
 *     not served at all has none
 * @param callers the classes of users' contracts, by user; the first applies unless a request names
 *     another one of them
 * @param rates requests/s, more than 0, that users may send of a class, by user, by class; the
 *     empty user stands for all others together
 * @param served by class, the part of its requests that is served, in [0, 1); classes that are
 *     served whole are not in it
 */
public record PublishedTable(
    long version,
    String defaultClass,
    ServiceRegistry registry,
    Map<String, Map<String, List<TableShare>>> bindings,
    Map<String, List<String>> callers,
    Map<String, Map<String, Double>> rates,
    Map<String, Double> served) {
  /** Greatest difference of a sum of fractions from 1. */
  public static final double TOLERANCE = 1e-9;

  /** The most classes. */
  public static final int MAX_CLASSES = 1_000;

  /** Copies the maps, in their order. */
  public PublishedTable {
    Map<String, Map<String, List<TableShare>>> copy = new LinkedHashMap<>();
    bindings.forEach(
        (name, services) ->
            copy.put(name, Collections.unmodifiableMap(new LinkedHashMap<>(services))));
    bindings = Collections.unmodifiableMap(copy);
    Map<String, List<String>> contracted = new LinkedHashMap<>();
    callers.forEach((user, classes) -> contracted.put(user, List.copyOf(classes)));
    callers = Collections.unmodifiableMap(contracted);
    Map<String, Map<String, Double>> promised = new LinkedHashMap<>();
    rates.forEach(
        (name, of) -> promised.put(name, Collections.unmodifiableMap(new LinkedHashMap<>(of))));
    rates = Collections.unmodifiableMap(promised);
    served = Collections.unmodifiableMap(new LinkedHashMap<>(served));
  }

  /** A table for callers without contracts. */
  public PublishedTable(
      long version,
      String defaultClass,
      ServiceRegistry registry,
      Map<String, Map<String, List<TableShare>>> bindings) {
    this(version, defaultClass, registry, bindings, Map.of(), Map.of(), Map.of());
  }

  /** The same table with these callers. */
  public PublishedTable withCallers(Map<String, List<String>> users) {
    return new PublishedTable(version, defaultClass, registry, bindings, users, rates, served);
  }

  /** The same table, with the contracted rates of each class. */
  public PublishedTable withRates(Map<String, Map<String, Double>> promised) {
    return new PublishedTable(version, defaultClass, registry, bindings, callers, promised, served);
  }

  /** The same table with these served parts of classes. */
  public PublishedTable withServed(Map<String, Double> parts) {
    return new PublishedTable(version, defaultClass, registry, bindings, callers, rates, parts);
  }

  /** The same table with another version, also of its registry. */
  public PublishedTable at(long other) {
    ServiceRegistry same = new ServiceRegistry(other, registry.services(), registry.stateful());
    return new PublishedTable(other, defaultClass, same, bindings, callers, rates, served);
  }

  /** The table of a solution. */
  public static PublishedTable of(
      long version, String defaultClass, ServiceRegistry serviceRegistry, List<ClassLevel> levels) {
    Map<String, Map<String, List<TableShare>>> bindings = new LinkedHashMap<>();
    for (ClassLevel level : levels) {
      Map<String, List<TableShare>> ofClass = new LinkedHashMap<>();
      level.shares().forEach((task, shares) -> ofClass.put(task, shares(shares)));
      bindings.put(level.id(), ofClass);
    }
    return new PublishedTable(version, defaultClass, serviceRegistry, bindings);
  }

  /** Shares from a solver: sums hold only within its tolerance, and some shares are nearly zero. */
  private static List<TableShare> shares(List<Share> shares) {
    double sum = shares.stream().mapToDouble(Share::fraction).sum();
    return shares.stream()
        .map(
            each ->
                new TableShare(
                    each.implementation().pattern(),
                    each.implementation().services().stream().map(ConcreteService::id).toList(),
                    each.fraction() / sum))
        .toList();
  }
}
