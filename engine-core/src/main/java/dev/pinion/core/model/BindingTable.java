package dev.pinion.core.model;

import java.util.Map;
import java.util.Optional;

/**
 * Which concrete endpoint stands for each abstract service. Immutable; a new solution is a new
 * table with a higher version.
 *
 * @param version grows with every table published
 * @param endpoints base URI, without a trailing slash, by name of abstract service
 */
public record BindingTable(long version, Map<String, String> endpoints) {
  /** A table that binds nothing. */
  public static final BindingTable EMPTY = new BindingTable(0, Map.of());

  /** Copies the map. */
  public BindingTable {
    endpoints = Map.copyOf(endpoints);
  }

  /** The base URI that stands for an abstract service, if it is bound. */
  public Optional<String> endpoint(String service) {
    return Optional.ofNullable(endpoints.get(service));
  }
}
