package dev.pinion.core.kernel;

import dev.pinion.core.model.AbstractCall;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.ServiceEndpoint;
import java.util.IdentityHashMap;
import org.agrona.collections.Object2ObjectHashMap;

/**
 * Cache of parsed URIs of calls of abstract services, joined with the locations of services: most
 * definitions call the same ones again and again. Clears itself when full. Single-threaded.
 */
final class AbstractUris {
  /** Most URIs in the cache. */
  static final int MOST = 256;

  /** Longest URI in the cache; longer ones are parsed each time. */
  static final int MAX_LENGTH = 1_024;

  private final Object2ObjectHashMap<String, Parts> known = new Object2ObjectHashMap<>();

  /** Parts of a URI, and the locations of services that were called by it. */
  static final class Parts {
    /** Most services in the cache of one URI; later binding tables have others. */
    static final int MOST_SERVICES = 16;

    private static final int USUAL_SERVICES = 4;

    private final String service;
    private final String rest;
    private final IdentityHashMap<ServiceEndpoint, String> places =
        new IdentityHashMap<>(USUAL_SERVICES);

    private Parts(String service, String rest) {
      this.service = service;
      this.rest = rest;
    }

    /** Name of the abstract service. */
    String service() {
      return service;
    }

    /** URI of the call at one service. */
    String at(ServiceEndpoint endpoint) {
      String known = places.get(endpoint);
      return known == null ? made(endpoint) : known;
    }

    private String made(ServiceEndpoint endpoint) {
      if (places.size() == MOST_SERVICES) {
        places.clear();
      }
      String uri = endpoint.uri(rest);
      places.put(endpoint, uri);
      return uri;
    }

    /** Number of cached locations. */
    int size() {
      return places.size();
    }
  }

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

  /** Number of cached URIs. */
  int size() {
    return known.size();
  }
}
