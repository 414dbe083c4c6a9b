package dev.pinion.core.invoker;

import org.agrona.collections.Object2ObjectHashMap;

/**
 * Cache of the targets of URIs: most definitions call the same ones again and again. Clears itself
 * when full. Single-threaded.
 */
final class Targets {
  /** Most URIs in the cache. */
  static final int MOST = 1_024;

  /** Longest URI in the cache; longer ones are parsed each time. */
  static final int MAX_LENGTH = 1_024;

  private final Object2ObjectHashMap<String, Target> known = new Object2ObjectHashMap<>();

  /**
   * The target of a URI.
   *
   * @throws UncallableException when the URI is invalid
   */
  Target of(String uri) throws UncallableException {
    Target target = known.get(uri);
    return target == null ? read(uri) : target;
  }

  private Target read(String uri) throws UncallableException {
    Target target = Target.parse(uri);
    if (uri.length() <= MAX_LENGTH) {
      if (known.size() == MOST) {
        known.clear();
      }
      known.put(uri, target);
    }
    return target;
  }

  /** Number of cached URIs. */
  int size() {
    return known.size();
  }
}
