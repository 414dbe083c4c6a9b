package dev.pinion.core.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.AuthenticationPolicy;
import dev.pinion.core.model.call.AuthenticationScheme;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the authentication of a call. Immutable.
 *
 * @param scheme kind of authentication
 * @param secret name of the secret that holds the parameters, or null
 * @param parameters makes the parameters; null when a secret holds them or they use secrets
 */
public record AuthenticationTemplate(
    AuthenticationScheme scheme, @Nullable String secret, @Nullable Expression<Payload> parameters)
    implements Expression<AuthenticationPolicy> {
  @Override
  public AuthenticationPolicy evaluate(Payload input, Scope scope, Budget budget) {
    return new AuthenticationPolicy(
        scheme, secret, parameters == null ? null : parameters.evaluate(input, scope, budget));
  }

  /**
   * Parameters in which one member is made by a URI template instead.
   *
   * @param member names of the objects around the member, and its own
   */
  public static Expression<Payload> withUri(
      Expression<Payload> parameters, List<String> member, Expression<String> uri) {
    return (input, scope, budget) -> {
      ObjectNode copy = parameters.evaluate(input, scope, budget).json().deepCopy();
      ObjectNode owner = copy;
      for (String name : member.subList(0, member.size() - 1)) {
        owner = (ObjectNode) owner.required(name);
      }
      owner.put(member.getLast(), uri.evaluate(input, scope, budget));
      return Payload.of(copy);
    };
  }
}
