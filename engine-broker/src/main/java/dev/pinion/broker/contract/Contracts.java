package dev.pinion.broker.contract;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything that was agreed on with users. Immutable. Documents are kept as they were checked when
 * they came in.
 *
 * @param version grows with every change; 0 before the first
 * @param model document of the process that classes are about; empty before there is one
 * @param behaviour document of the process that was made of deployed definitions, which counts
 *     where the model has none; empty before there is one
 * @param classes documents of classes, by id
 * @param slas contracts, by id
 */
public record Contracts(
    long version,
    String model,
    String behaviour,
    Map<String, String> classes,
    Map<String, Sla> slas) {
  /** Nothing was agreed on. */
  public static final Contracts EMPTY = new Contracts(0, "", "", Map.of(), Map.of());

  /** The most contracts. */
  public static final int MAX_SLAS = 10_000;

  /** Copies the maps, in their order. */
  public Contracts {
    classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
    slas = Collections.unmodifiableMap(new LinkedHashMap<>(slas));
  }

  /** The next version, about another process. */
  public Contracts withModel(String document) {
    return new Contracts(version + 1, document, behaviour, classes, slas);
  }

  /** The next version, with other definitions deployed. */
  public Contracts withBehaviour(String document) {
    return new Contracts(version + 1, model, document, classes, slas);
  }

  /** The next version, with a class added or changed. */
  public Contracts withClass(String id, String document) {
    return new Contracts(version + 1, model, behaviour, with(classes, id, document), slas);
  }

  /** The next version, without a class. */
  public Contracts withoutClass(String id) {
    return new Contracts(version + 1, model, behaviour, without(classes, id), slas);
  }

  /** The next version, with a contract added or changed. */
  public Contracts withSla(Sla sla) {
    return new Contracts(version + 1, model, behaviour, classes, with(slas, sla.id(), sla));
  }

  /** The next version, without a contract. */
  public Contracts withoutSla(String id) {
    return new Contracts(version + 1, model, behaviour, classes, without(slas, id));
  }

  /** What is left of it at a moment: the same when no contract has ended. */
  public Contracts at(Instant moment) {
    Map<String, Sla> left = new LinkedHashMap<>(slas);
    left.values().removeIf(each -> !each.isValidAt(moment));
    return left.size() == slas.size()
        ? this
        : new Contracts(version + 1, model, behaviour, classes, left);
  }

  /** Requests/s of a class that contracts allow in sum. */
  public double rate(String serviceClass) {
    return slas.values().stream()
        .filter(each -> each.serviceClass().equals(serviceClass))
        .mapToDouble(Sla::rate)
        .sum();
  }

  /** Requests/s of a class that contracts which name their users allow, by user. */
  public Map<String, Double> rates(String serviceClass) {
    Map<String, Double> rates = new LinkedHashMap<>();
    for (Sla each : slas.values()) {
      if (each.serviceClass().equals(serviceClass) && !each.user().isEmpty()) {
        rates.merge(each.user(), each.rate(), Double::sum);
      }
    }
    return rates;
  }

  /**
   * The classes that users have contracts of, by user, in the order of their contracts. Contracts
   * that name no user are nobody's here.
   */
  public Map<String, List<String>> callers() {
    Map<String, Set<String>> classesOf = new LinkedHashMap<>();
    for (Sla each : slas.values()) {
      if (!each.user().isEmpty()) {
        classesOf.computeIfAbsent(each.user(), _ -> new LinkedHashSet<>()).add(each.serviceClass());
      }
    }
    Map<String, List<String>> callers = new LinkedHashMap<>();
    classesOf.forEach((user, of) -> callers.put(user, List.copyOf(of)));
    return callers;
  }

  private static <T> Map<String, T> with(Map<String, T> map, String id, T value) {
    Map<String, T> more = new LinkedHashMap<>(map);
    more.put(id, value);
    return more;
  }

  private static <T> Map<String, T> without(Map<String, T> map, String id) {
    Map<String, T> rest = new LinkedHashMap<>(map);
    rest.remove(id);
    return rest;
  }
}
