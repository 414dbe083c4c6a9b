package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.DeferredExpressions;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.SecretParts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Prepares what the Invoker adds to a call: evaluates the authentication as far as it needs no
 * secret, and keeps the values that the other expressions will use. Immutable.
 *
 * @param authentication the authentication, or null
 * @param expressions expressions that use secrets
 * @param captured names of the variables that these use
 */
public record SecretPartsTemplate(
    @Nullable AuthenticationTemplate authentication,
    DeferredExpressions expressions,
    Set<String> captured)
    implements Expression<SecretParts.Pending> {
  /** Copies the names. */
  public SecretPartsTemplate {
    captured = Set.copyOf(captured);
  }

  @Override
  public SecretParts.Pending evaluate(Payload input, Scope scope, Budget budget) {
    boolean defers = !expressions.equals(DeferredExpressions.NONE);
    return new SecretParts.Pending(
        authentication == null ? null : authentication.evaluate(input, scope, budget),
        expressions,
        defers ? input : Payload.NULL,
        variables(captured, scope, budget));
  }

  /** The present values of variables, in the order of their names. */
  static Map<String, Payload> variables(Set<String> captured, Scope scope, Budget budget) {
    Map<String, Payload> variables = new LinkedHashMap<>();
    for (String name : new TreeSet<>(captured)) {
      budget.charge(1);
      Payload value = scope.variable(name);
      if (value != null) {
        variables.put(name, value);
      }
    }
    return variables;
  }

  /** Header fields of names and values, as {@link HttpCallTemplate} makes them. */
  public static Expression<List<HttpCall.HeaderField>> headers(NameValuePairs pairs) {
    return (input, scope, budget) -> HttpFieldSyntax.headers(pairs.evaluate(input, scope, budget));
  }

  /** Parameters of a query, as {@link HttpCallTemplate} makes them, joined by {@code &}. */
  public static Expression<String> query(NameValuePairs pairs) {
    return (input, scope, budget) -> HttpCallTemplate.query(pairs.evaluate(input, scope, budget));
  }
}
