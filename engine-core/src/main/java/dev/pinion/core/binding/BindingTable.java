package dev.pinion.core.binding;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bindings of the abstract services, by service class. Immutable except for the state of the
 * choices; a new solution is a new table with a higher version.
 *
 * @param version grows with every table published; 0 for none
 * @param defaultClass the class of instances without one, or with an unknown one
 * @param classes bindings by abstract service, by class; without classes that are not served at all
 * @param callers the contracted classes of users, by user; the first applies unless the user names
 *     another of them
 * @param rates requests/s of a class that users may send, by user, by class; that of {@link
 *     #OTHERS} is for all callers together that are not named
 * @param parts served parts of the classes that are not served completely
 */
public record BindingTable(
    long version,
    String defaultClass,
    Map<String, Map<String, BoundService>> classes,
    Map<String, List<String>> callers,
    Map<String, Map<String, Double>> rates,
    Map<String, ServedFraction> parts) {
  /** Key for all users that are not named. */
  public static final String OTHERS = "";

  /** A table that binds nothing. */
  public static final BindingTable EMPTY = new BindingTable(0, "default", Map.of());

  /** Copies the maps. */
  public BindingTable {
    // read for every call: hash maps find with less work than the small maps of Map.copyOf
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

  /** A table that serves all classes completely. */
  public BindingTable(
      long version,
      String defaultClass,
      Map<String, Map<String, BoundService>> classes,
      Map<String, List<String>> callers,
      Map<String, Map<String, Double>> rates) {
    this(version, defaultClass, classes, callers, rates, Map.of());
  }

  /** A table without contracted rates. */
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
   * A table of one class with one concrete service for each abstract one.
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
   * Binding of an abstract service, or null when there is none. Instances that began before their
   * class was no longer served are bound as the default class, or as the first served one.
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
   * The effective class of a caller.
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
   * Requests/s of a class that a user may send; 0 when nothing is contracted.
   *
   * @param user a user with a contract of the class, or {@link #OTHERS}
   */
  public double rate(String serviceClass, String user) {
    return rates.getOrDefault(serviceClass, Map.of()).getOrDefault(user, 0.0);
  }

  /** Requests/s of a class that all users may send together; 0 when nothing is contracted. */
  public double rate(String serviceClass) {
    double sum = 0;
    for (double rate : rates.getOrDefault(serviceClass, Map.of()).values()) {
      sum += rate;
    }
    return sum;
  }

  /** Whether an abstract service is bound for at least one class. */
  public boolean serves(String name) {
    return classes.values().stream().anyMatch(services -> services.containsKey(name));
  }
}
