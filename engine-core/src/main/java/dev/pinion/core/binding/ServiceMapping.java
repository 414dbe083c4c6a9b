package dev.pinion.core.binding;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The differences of a concrete service's requests and responses from those of the definitions.
 * Immutable; any thread.
 *
 * @param path template of its operations' paths; null for those of the abstract service
 * @param headers header fields of every request, replacing fields of the same names
 * @param request expression for its request body, on the body of the call, {@code null} when that
 *     has none; null to leave the body unchanged
 * @param answer expression for the content that definitions expect, on its response; null to leave
 *     the content unchanged
 */
public record ServiceMapping(
    @Nullable ServicePathTemplate path,
    List<HttpCall.HeaderField> headers,
    @Nullable Expression<Payload> request,
    @Nullable Expression<Payload> answer) {
  /** No differences. */
  public static final ServiceMapping NONE = new ServiceMapping(null, List.of(), null, null);

  /** Copies the headers. */
  public ServiceMapping {
    headers = List.copyOf(headers);
  }

  /**
   * Path and query of a request.
   *
   * @param rest path and query after the name of the abstract service
   */
  String path(String rest) {
    return path == null ? rest : path.expand(rest);
  }

  /** The header fields of a request, made from those of the call. */
  List<HttpCall.HeaderField> headers(List<HttpCall.HeaderField> fields) {
    if (headers.isEmpty()) {
      return fields;
    }
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
