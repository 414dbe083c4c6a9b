package dev.pinion.broker.registry;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All agreements with users. Immutable. Documents are kept in the form in which they were checked.
 *
 * @param version grows with every change; 0 before the first
 * @param model document of the process that classes are about; empty before there is one
 * @param behaviour document of the process of deployed definitions, which counts when the model has
 *     none; empty before there is one
 * @param classes documents of classes, by id
 * @param slas contracts, by id
 */
public record Contracts(
    long version,
    String model,
    String behaviour,
    Map<String, String> classes,
    Map<String, Sla> slas) {
  /** No agreements. */
  public static final Contracts EMPTY = new Contracts(0, "", "", Map.of(), Map.of());

  /** The most contracts. */
  public static final int MAX_SLAS = 10_000;

  /** The most future moments at which contracts begin: each is solved for separately. */
  public static final int MAX_BEGINNINGS = 100;

  /** Copies the maps, in their order. */
  public Contracts {
    classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
    slas = Collections.unmodifiableMap(new LinkedHashMap<>(slas));
  }

  /** The next version, with another model. */
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

  /** The next version, without contracts that have ended: the same when none has. */
  public Contracts withoutEnded(Instant moment) {
    Map<String, Sla> left = new LinkedHashMap<>(slas);
    left.values().removeIf(each -> each.hasEndedAt(moment));
    return left.size() == slas.size()
        ? this
        : new Contracts(version + 1, model, behaviour, classes, left);
  }

  /**
   * Moments at which promises increase: a moment, and later ones at which further contracts begin,
   * in order. Promises that can be kept at each of them can always be kept, since in between
   * contracts only end.
   *
   * @param first the earliest of them
   * @param end exclusive end; null for all
   */
  public List<Instant> beginnings(Instant first, @Nullable Instant end) {
    SortedSet<Instant> moments = new TreeSet<>();
    moments.add(first);
    for (Sla each : slas.values()) {
      Instant from = each.from();
      if (from != null && from.isAfter(first) && (end == null || from.isBefore(end))) {
        moments.add(from);
      }
    }
    return List.copyOf(moments);
  }

  /** Beginning of the next contract after a moment; {@link Instant#MAX} for never. */
  public Instant nextBeginning(Instant moment) {
    Instant next = Instant.MAX;
    for (Sla each : slas.values()) {
      Instant from = each.from();
      if (from != null && from.isAfter(moment) && from.isBefore(next)) {
        next = from;
      }
    }
    return next;
  }

  /** Whether there is a contract of a class, at any time. */
  public boolean isContracted(String serviceClass) {
    return slas.values().stream().anyMatch(each -> each.serviceClass().equals(serviceClass));
  }

  /** Requests/s of a class that contracts allow in sum at a moment. */
  public double rate(String serviceClass, Instant moment) {
    return holding(moment)
        .filter(each -> each.serviceClass().equals(serviceClass))
        .mapToDouble(Sla::rate)
        .sum();
  }

  /** Requests/s of a class by user, from contracts that name their users, at a moment. */
  public Map<String, Double> rates(String serviceClass, Instant moment) {
    Map<String, Double> rates = new LinkedHashMap<>();
    holding(moment)
        .filter(each -> each.serviceClass().equals(serviceClass) && !each.user().isEmpty())
        .forEach(each -> rates.merge(each.user(), each.rate(), Double::sum));
    return rates;
  }

  private Stream<Sla> holding(Instant moment) {
    return slas.values().stream().filter(each -> each.isValidAt(moment));
  }

  /**
   * The classes of users' contracts at a moment, by user, in the order of their contracts.
   * Contracts without a user are not included.
   */
  public Map<String, List<String>> callers(Instant moment) {
    Map<String, Set<String>> classesOf = new LinkedHashMap<>();
    holding(moment)
        .filter(each -> !each.user().isEmpty())
        .forEach(
            each ->
                classesOf
                    .computeIfAbsent(each.user(), _ -> new LinkedHashSet<>())
                    .add(each.serviceClass()));
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
