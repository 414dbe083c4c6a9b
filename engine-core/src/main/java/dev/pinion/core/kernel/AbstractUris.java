package dev.pinion.core.kernel;

import dev.pinion.core.model.AbstractCall;
import dev.pinion.core.model.HttpCall;
import org.agrona.collections.Object2ObjectHashMap;

/**
 * Parts of the URIs of calls of abstract services, taken apart once: most definitions call the same
 * ones again and again. Forgets all when there are too many. One thread.
 */
final class AbstractUris {
  /** URIs that are known at the same time. */
  static final int MOST = 256;

  /** URIs longer than this are taken apart each time. */
  static final int MAX_LENGTH = 1_024;

  private final Object2ObjectHashMap<String, Parts> known = new Object2ObjectHashMap<>();

  /**
   * Parts of a URI.
   *
   * @param service name of the abstract service
   * @param rest path, query and fragment behind it
   */
  record Parts(String service, String rest) {}

  /** Parts of the URI of a call of an abstract service. */
  Parts of(HttpCall call) {
    Parts parts = known.get(call.uri());
    return parts == null ? taken(call) : parts;
  }

  private Parts taken(HttpCall call) {
    Parts parts = new Parts(AbstractCall.service(call), AbstractCall.rest(call));
    if (call.uri().length() <= MAX_LENGTH) {
      if (known.size() == MOST) {
        known.clear();
      }
      known.put(call.uri(), parts);
    }
    return parts;
  }

  /** How many are known. */
  int size() {
    return known.size();
  }
}
