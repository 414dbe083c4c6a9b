package dev.pinion.core.model.call;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a call whose expressions use secrets or the authorization of the call. The Invoker
 * evaluates them when it makes the call, so that no secret enters a kernel. Each is null where
 * there is none.
 *
 * @param pointer JSON pointer of the task's arguments, for errors
 * @param secrets names of the secrets that the expressions use
 * @param input makes the input of the others from that of the call
 * @param endpoint makes the URI
 * @param headers makes further header fields
 * @param query makes further parameters of the query, encoded and joined by {@code &}
 * @param body makes the body
 * @param authentication makes the parameters of the authentication
 */
public record DeferredExpressions(
    String pointer,
    Set<String> secrets,
    @Nullable Expression<Payload> input,
    @Nullable Expression<String> endpoint,
    @Nullable Expression<List<HttpCall.HeaderField>> headers,
    @Nullable Expression<String> query,
    @Nullable Expression<Payload> body,
    @Nullable Expression<Payload> authentication) {
  /** Nothing is deferred. */
  public static final DeferredExpressions NONE =
      new DeferredExpressions("", Set.of(), null, null, null, null, null, null);

  /** Copies the names. */
  public DeferredExpressions {
    secrets = Set.copyOf(secrets);
  }
}
