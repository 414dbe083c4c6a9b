package dev.pinion.core.binding;

import dev.pinion.core.model.call.HttpCall;

/**
 * A concrete service: its location, and the differences of its requests and responses from those of
 * the definitions. Immutable; any thread.
 *
 * @param id its name, unique in a table
 * @param base base URI with scheme {@code http} or {@code https}, without a trailing slash
 * @param idempotent whether executing an operation twice has the same effect as once
 * @param mapping differences of its requests and responses
 * @param async whether it may answer 202 and send the answer later, to an address in the call
 */
public record ServiceEndpoint(
    String id, String base, boolean idempotent, ServiceMapping mapping, boolean async) {
  /** A service that answers at once. */
  public ServiceEndpoint(String id, String base, boolean idempotent, ServiceMapping mapping) {
    this(id, base, idempotent, mapping, false);
  }

  /** A service that is called like the abstract one, and whose operations may be repeated. */
  public static ServiceEndpoint of(String id, String base) {
    return new ServiceEndpoint(id, base, true, ServiceMapping.NONE);
  }

  /** Whether it answers at once, without expressions for its requests and responses. */
  public boolean isPlain() {
    return mapping.request() == null && mapping.answer() == null && !async;
  }

  /**
   * URI of a call.
   *
   * @param rest path and query after the name of the abstract service
   */
  public String uri(String rest) {
    return base + mapping.path(rest);
  }

  /**
   * The call for this service; its body is unchanged.
   *
   * @param call call of the definition
   * @param uri URI at this service
   */
  public HttpCall addressedCall(HttpCall call, String uri) {
    return call.at(uri, mapping.headers(call.headers()));
  }
}
