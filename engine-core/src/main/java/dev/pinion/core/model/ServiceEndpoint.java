package dev.pinion.core.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A concrete service as it is called: where it is, and how its requests and answers differ from
 * those that definitions know. Immutable; any thread.
 *
 * @param id its name, unique in a table
 * @param base base URI with scheme {@code http} or {@code https}, without a trailing slash
 * @param idempotent whether an operation that is executed twice does what it does once
 * @param path where its operations are; null for where the abstract service has them
 * @param headers sent with every request, in the place of fields of the same names
 * @param request makes the body it wants of the one of the call, {@code null} when that has none;
 *     null to leave it as it is
 * @param answer makes the content that definitions expect of its own; null to leave it as it is
 * @param async whether it may answer 202 and give the answer later, at an address that comes with
 *     the call
 */
public record ServiceEndpoint(
    String id,
    String base,
    boolean idempotent,
    @Nullable ServicePath path,
    List<HttpCall.Header> headers,
    @Nullable Expression<Payload> request,
    @Nullable Expression<Payload> answer,
    boolean async) {
  /** Copies the headers. */
  public ServiceEndpoint {
    headers = List.copyOf(headers);
  }

  /** A service that answers at once. */
  public ServiceEndpoint(
      String id,
      String base,
      boolean idempotent,
      @Nullable ServicePath path,
      List<HttpCall.Header> headers,
      @Nullable Expression<Payload> request,
      @Nullable Expression<Payload> answer) {
    this(id, base, idempotent, path, headers, request, answer, false);
  }

  /** A service that is called as the abstract one, whose operations may be repeated. */
  public static ServiceEndpoint of(String id, String base) {
    return new ServiceEndpoint(id, base, true, null, List.of(), null, null);
  }

  /** Whether it answers at once, and nothing of its requests and answers is to be evaluated. */
  public boolean isPlain() {
    return request == null && answer == null && !async;
  }

  /**
   * Where a call goes.
   *
   * @param rest path and query behind the name of the abstract service
   */
  public String uri(String rest) {
    return base + (path == null ? rest : path.expand(rest));
  }

  /**
   * A call as it goes to this service; its body is left as it is.
   *
   * @param call what the definition wants
   * @param uri where it goes
   */
  public HttpCall addressed(HttpCall call, String uri) {
    return new HttpCall(
        call.method(),
        uri,
        headers.isEmpty() ? call.headers() : merged(call.headers()),
        call.body(),
        call.output(),
        call.acceptRedirects());
  }

  private List<HttpCall.Header> merged(List<HttpCall.Header> fields) {
    List<HttpCall.Header> all = new ArrayList<>(fields.size() + headers.size());
    for (HttpCall.Header field : fields) {
      if (headers.stream().noneMatch(own -> own.name().equalsIgnoreCase(field.name()))) {
        all.add(field);
      }
    }
    all.addAll(headers);
    return all;
  }
}
