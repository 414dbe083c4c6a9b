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
 * @param byPoint name of the chain, or {@value #NONE}, by where messages meet it
 */
public record NamedChains(SortedMap<String, String> byPoint) {
  /** Where messages meet chains, in the order of their way. */
  public static final List<String> POINTS =
      List.of("request-in", "before-call", "after-call", "response-out");

  /** In place of a name: no chain, also not the one that is attached for everybody. */
  public static final String NONE = "none";

  /** Nothing is said: what is attached for everybody holds. */
  public static final NamedChains EMPTY = new NamedChains(new TreeMap<>());

  /** Copies the names. */
  public NamedChains {
    byPoint = Collections.unmodifiableSortedMap(new TreeMap<>(byPoint));
  }

  /** What is said about a point, or null when that is nothing. */
  public @Nullable String at(String point) {
    return byPoint.get(point);
  }

  /**
   * What a named chain was expected to be and is not; null when it may be named so.
   *
   * @param point where it is named
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
