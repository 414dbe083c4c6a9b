package dev.pinion.core.template.parameter;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.template.UriSyntax;
import java.util.List;

/**
 * The value of the header field Cookie of an operation (RFC 6265, section 4.2.1): a string, or null
 * when no cookie has a value.
 *
 * @param parameters the parameters in cookies
 */
public record StyledCookies(List<BoundParameter> parameters) implements Expression<Payload> {
  /** Copies the list. */
  public StyledCookies {
    parameters = List.copyOf(parameters);
  }

  @Override
  public Payload evaluate(Payload input, Scope scope, Budget budget) {
    StringBuilder cookies = new StringBuilder();
    for (BoundParameter each : parameters) {
      for (StyleWriter.Pair pair : each.pairs(input, scope, budget, UriSyntax::encode)) {
        cookies.append(cookies.isEmpty() ? "" : "; ");
        cookies.append(pair.name()).append('=').append(pair.value());
      }
    }
    return cookies.isEmpty() ? Payload.NULL : Payload.of(cookies.toString());
  }
}
