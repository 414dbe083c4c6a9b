package dev.pinion.core.invoker;

import org.agrona.collections.Object2ObjectHashMap;

/**
 * Targets of URIs, each read once: most definitions call the same ones again and again. Forgets all
 * when there are too many. One thread.
 */
final class Targets {
  /** URIs that are known at the same time. */
  static final int MOST = 1_024;

  /** URIs longer than this are read each time. */
  static final int MAX_LENGTH = 1_024;

  private final Object2ObjectHashMap<String, Target> known = new Object2ObjectHashMap<>();

  /**
   * The target of a URI.
   *
   * @throws UncallableException when the URI names none
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

  /** How many are known. */
  int size() {
    return known.size();
  }
}
