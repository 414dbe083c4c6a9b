package dev.pinion.core.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The chains of handlers that a definition names for its messages ({@code
 * metadata.pinion.handlers}). Immutable; any thread.
 *
 * @param byPoint name of the chain, or {@value #NONE}, by the point where messages meet it
 */
public record ChainReferences(SortedMap<String, String> byPoint) {
  /** Points where messages meet chains, in the order of their path. */
  public static final List<String> POINTS =
      List.of("request-in", "before-call", "after-call", "response-out");

  /** Name for no chain, also not the one that is attached for all definitions. */
  public static final String NONE = "none";

  /** No names: the chains attached for all definitions apply. */
  public static final ChainReferences EMPTY = new ChainReferences(new TreeMap<>());

  /** Copies the names. */
  public ChainReferences {
    byPoint = Collections.unmodifiableSortedMap(new TreeMap<>(byPoint));
  }

  /** Name at a point, or null for none. */
  public @Nullable String at(String point) {
    return byPoint.get(point);
  }

  /**
   * Error in the use of a name; null when it may be used.
   *
   * @param point point where it is named
   * @param known the point of each chain by name; empty for one that is attached nowhere
   */
  public static @Nullable String problem(String point, String name, Map<String, String> known) {
    String of = known.get(name);
    if (name.equals(NONE) || point.equals(of) || "".equals(of)) {
      return null;
    }
    String found = "found \"" + name + "\"";
    return "expected none or a chain of handlers for "
        + point
        + ", "
        + (of != null
            ? found + ", which is for " + of
            : known.isEmpty() ? found + "; no chains are in force (serve --handlers)" : found);
  }
}
