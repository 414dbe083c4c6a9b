package dev.pinion.core.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Catalogue of the chains of handlers that definitions may name. For use by any thread. */
@FunctionalInterface
public interface ChainCatalog {
  /** A catalogue that knows no chains and accepts every name. */
  ChainCatalog UNKNOWN = () -> null;

  /**
   * Point of each chain in force by name, of {@link ChainReferences#POINTS}; empty for one that is
   * attached nowhere. Null when that is not known.
   */
  @Nullable Map<String, String> points();
}
