package dev.pinion.core.model;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stands for each abstract service, by service class. Immutable but for what deals out
 * choices; a new solution is a new table with a higher version.
 *
 * @param version grows with every table published; 0 for none
 * @param defaultClass the class of instances that have none, or one that the table does not know
 * @param classes bindings by abstract service, by class; none of a class that is not served at all
 * @param callers the classes that users have contracts of, by user; the first is theirs unless they
 *     name another one of them
 * @param rates requests/s that users may send of a class, by user, by class; those of {@link
 *     #OTHERS} are what all callers who are not named may send together
 * @param parts of the classes that are not served whole, which part is
 */
public record BindingTable(
    long version,
    String defaultClass,
    Map<String, Map<String, BoundService>> classes,
    Map<String, List<String>> callers,
    Map<String, Map<String, Double>> rates,
    Map<String, ServedPart> parts) {
  /** In the place of a user: all who are not named. */
  public static final String OTHERS = "";

  /** A table that binds nothing. */
  public static final BindingTable EMPTY = new BindingTable(0, "default", Map.of());

  /** Copies the maps. */
  public BindingTable {
    // asked for every call: hash maps find by less work than the small maps of Map.copyOf
    Map<String, Map<String, BoundService>> copy = new HashMap<>();
    classes.forEach(
        (name, services) -> copy.put(name, Collections.unmodifiableMap(new HashMap<>(services))));
    classes = Collections.unmodifiableMap(copy);
    Map<String, List<String>> contracted = new LinkedHashMap<>();
    callers.forEach((user, of) -> contracted.put(user, List.copyOf(of)));
    callers = Map.copyOf(contracted);
    Map<String, Map<String, Double>> promised = new LinkedHashMap<>();
    rates.forEach((name, of) -> promised.put(name, Map.copyOf(of)));
    rates = Map.copyOf(promised);
    parts = Map.copyOf(parts);
  }

  /** A table that serves all classes whole. */
  public BindingTable(
      long version,
      String defaultClass,
      Map<String, Map<String, BoundService>> classes,
      Map<String, List<String>> callers,
      Map<String, Map<String, Double>> rates) {
    this(version, defaultClass, classes, callers, rates, Map.of());
  }

  /** A table that promises nobody a rate. */
  public BindingTable(
      long version,
      String defaultClass,
      Map<String, Map<String, BoundService>> classes,
      Map<String, List<String>> callers) {
    this(version, defaultClass, classes, callers, Map.of());
  }

  /** A table for callers without contracts. */
  public BindingTable(
      long version, String defaultClass, Map<String, Map<String, BoundService>> classes) {
    this(version, defaultClass, classes, Map.of(), Map.of());
  }

  /**
   * A table of one class, in which one service stands for each abstract one.
   *
   * @param endpoints base URI, without a trailing slash, by name of abstract service
   */
  public static BindingTable of(long version, Map<String, String> endpoints) {
    Map<String, BoundService> services = new LinkedHashMap<>();
    endpoints.forEach(
        (name, base) -> services.put(name, BoundService.single(ServiceEndpoint.of(name, base))));
    return new BindingTable(version, "default", Map.of("default", services));
  }

  /**
   * What stands for an abstract service, or null when nothing does. Instances of a class that is
   * not served, begun before that was so, are bound as the default class, or as the first of those
   * that are.
   *
   * @param serviceClass the class of the caller, or null
   */
  public @Nullable BoundService service(@Nullable String serviceClass, String name) {
    Map<String, BoundService> services = serviceClass == null ? null : classes.get(serviceClass);
    if (services == null) {
      services = classes.get(defaultClass);
    }
    if (services == null && !classes.isEmpty()) {
      services = classes.get(Collections.min(classes.keySet()));
    }
    return services == null ? null : services.get(name);
  }

  /**
   * The class that a caller has.
   *
   * @param serviceClass the class of the caller, or null
   */
  public String className(@Nullable String serviceClass) {
    if (serviceClass == null) {
      return defaultClass;
    }
    boolean known = classes.containsKey(serviceClass) || parts.containsKey(serviceClass);
    return known ? serviceClass : defaultClass;
  }

  /**
   * Requests/s of a class that a user may send; 0 when nothing was promised.
   *
   * @param user one with a contract of the class, or {@link #OTHERS}
   */
  public double rate(String serviceClass, String user) {
    return rates.getOrDefault(serviceClass, Map.of()).getOrDefault(user, 0.0);
  }

  /** Requests/s of a class that all users may send together; 0 when nothing was promised. */
  public double rate(String serviceClass) {
    double sum = 0;
    for (double rate : rates.getOrDefault(serviceClass, Map.of()).values()) {
      sum += rate;
    }
    return sum;
  }

  /** Whether an abstract service is bound for a class at least. */
  public boolean serves(String name) {
    return classes.values().stream().anyMatch(services -> services.containsKey(name));
  }
}
