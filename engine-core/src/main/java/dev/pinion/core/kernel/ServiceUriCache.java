package dev.pinion.core.kernel;

import dev.pinion.core.binding.AbstractServiceUri;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.model.call.HttpCall;
import java.util.IdentityHashMap;
import org.agrona.collections.Object2ObjectHashMap;

/**
 * Cache of parsed URIs of calls of abstract services, joined with the locations of services: most
 * definitions call the same ones again and again. Clears itself when full. Single-threaded.
 */
final class ServiceUriCache {
  /** Most URIs in the cache. */
  static final int MAX_URIS = 256;

  /** Longest URI in the cache; longer ones are parsed each time. */
  static final int MAX_LENGTH = 1_024;

  private final Object2ObjectHashMap<String, AbstractUri> known = new Object2ObjectHashMap<>();

  /** Parts of a URI, and the locations of services that were called by it. */
  static final class AbstractUri {
    /** Most services in the cache of one URI; later binding tables have others. */
    static final int MOST_SERVICES = 16;

    private static final int USUAL_SERVICES = 4;

    private final String service;
    private final String rest;
    private final IdentityHashMap<ServiceEndpoint, String> uris =
        new IdentityHashMap<>(USUAL_SERVICES);

    private AbstractUri(String service, String rest) {
      this.service = service;
      this.rest = rest;
    }

    /** Name of the abstract service. */
    String service() {
      return service;
    }

    /** URI of the call at one service. */
    String at(ServiceEndpoint endpoint) {
      String known = uris.get(endpoint);
      return known == null ? made(endpoint) : known;
    }

    private String made(ServiceEndpoint endpoint) {
      if (uris.size() == MOST_SERVICES) {
        uris.clear();
      }
      String uri = endpoint.uri(rest);
      uris.put(endpoint, uri);
      return uri;
    }

    /** Number of cached locations. */
    int size() {
      return uris.size();
    }
  }

  /** Parts of the URI of a call of an abstract service. */
  AbstractUri of(HttpCall call) {
    AbstractUri abstractUri = known.get(call.uri());
    return abstractUri == null ? taken(call) : abstractUri;
  }

  private AbstractUri taken(HttpCall call) {
    AbstractUri abstractUri =
        new AbstractUri(AbstractServiceUri.service(call), AbstractServiceUri.rest(call));
    if (call.uri().length() <= MAX_LENGTH) {
      if (known.size() == MAX_URIS) {
        known.clear();
      }
      known.put(call.uri(), abstractUri);
    }
    return abstractUri;
  }

  /** Number of cached URIs. */
  int size() {
    return known.size();
  }
}
