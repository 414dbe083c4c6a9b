package dev.pinion.core.binding;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A concrete service: its location, and the differences of its requests and responses from those of
 * the definitions. Immutable; any thread.
 *
 * @param id its name, unique in a table
 * @param base base URI with scheme {@code http} or {@code https}, without a trailing slash
 * @param idempotent whether executing an operation twice has the same effect as once
 * @param path template of its operations' paths; null for those of the abstract service
 * @param headers header fields of every request, replacing fields of the same names
 * @param request expression for its request body, on the body of the call, {@code null} when that
 *     has none; null to leave the body unchanged
 * @param answer expression for the content that definitions expect, on its response; null to leave
 *     the content unchanged
 * @param async whether it may answer 202 and send the answer later, to an address in the call
 */
public record ServiceEndpoint(
    String id,
    String base,
    boolean idempotent,
    @Nullable ServicePathTemplate path,
    List<HttpCall.HeaderField> headers,
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
      @Nullable ServicePathTemplate path,
      List<HttpCall.HeaderField> headers,
      @Nullable Expression<Payload> request,
      @Nullable Expression<Payload> answer) {
    this(id, base, idempotent, path, headers, request, answer, false);
  }

  /** A service that is called like the abstract one, and whose operations may be repeated. */
  public static ServiceEndpoint of(String id, String base) {
    return new ServiceEndpoint(id, base, true, null, List.of(), null, null);
  }

  /** Whether it answers at once, without expressions for its requests and responses. */
  public boolean isPlain() {
    return request == null && answer == null && !async;
  }

  /**
   * URI of a call.
   *
   * @param rest path and query after the name of the abstract service
   */
  public String uri(String rest) {
    return base + (path == null ? rest : path.expand(rest));
  }

  /**
   * The call for this service; its body is unchanged.
   *
   * @param call call of the definition
   * @param uri URI at this service
   */
  public HttpCall addressedCall(HttpCall call, String uri) {
    return new HttpCall(
        call.method(),
        uri,
        headers.isEmpty() ? call.headers() : merged(call.headers()),
        call.body(),
        call.output(),
        call.acceptRedirects());
  }

  private List<HttpCall.HeaderField> merged(List<HttpCall.HeaderField> fields) {
    List<HttpCall.HeaderField> all = new ArrayList<>(fields.size() + headers.size());
    for (HttpCall.HeaderField field : fields) {
      if (headers.stream().noneMatch(own -> own.name().equalsIgnoreCase(field.name()))) {
        all.add(field);
      }
    }
    all.addAll(headers);
    return all;
  }
}
