package dev.pinion.core.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells which chains of handlers definitions may name. For use by any thread. */
@FunctionalInterface
public interface ChainCatalog {
  /** Nobody knows here: every name is taken. */
  ChainCatalog UNKNOWN = () -> null;

  /**
   * The point of each chain in force by name, of {@link NamedChains#POINTS}; empty for one that is
   * attached nowhere. Null when that is not known.
   */
  @Nullable Map<String, String> points();
}
