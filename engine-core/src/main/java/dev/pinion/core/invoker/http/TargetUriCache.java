package dev.pinion.core.invoker.http;

import org.agrona.collections.Object2ObjectHashMap;

/**
 * Cache of the targets of URIs: most definitions call the same ones again and again. Clears itself
 * when full. Single-threaded.
 */
final class TargetUriCache {
  /** Most URIs in the cache. */
  static final int MOST = 1_024;

  /** Longest URI in the cache; longer ones are parsed each time. */
  static final int MAX_LENGTH = 1_024;

  private final Object2ObjectHashMap<String, TargetUri> known = new Object2ObjectHashMap<>();

  /**
   * The target of a URI.
   *
   * @throws InvalidCallException when the URI is invalid
   */
  TargetUri of(String uri) throws InvalidCallException {
    TargetUri targetUri = known.get(uri);
    return targetUri == null ? read(uri) : targetUri;
  }

  private TargetUri read(String uri) throws InvalidCallException {
    TargetUri targetUri = TargetUri.parse(uri);
    if (uri.length() <= MAX_LENGTH) {
      if (known.size() == MOST) {
        known.clear();
      }
      known.put(uri, targetUri);
    }
    return targetUri;
  }

  /** Number of cached URIs. */
  int size() {
    return known.size();
  }
}
