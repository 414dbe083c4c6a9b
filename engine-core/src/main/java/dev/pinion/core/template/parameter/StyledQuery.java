package dev.pinion.core.template.parameter;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.template.UriSyntax;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The query of an operation: its parameters, encoded and joined by {@code &}; empty for none.
 *
 * @param parameters the parameters, in the order in which they are sent
 */
public record StyledQuery(List<BoundParameter> parameters) implements Expression<String> {
  /** Copies the list. */
  public StyledQuery {
    parameters = List.copyOf(parameters);
  }

  @Override
  public String evaluate(Payload input, Scope scope, Budget budget) {
    StringBuilder query = new StringBuilder();
    for (BoundParameter each : parameters) {
      UnaryOperator<String> encoding =
          each.parameter().allowReserved() ? UriSyntax::encodeInQuery : UriSyntax::encode;
      for (StyleWriter.Pair pair : each.pairs(input, scope, budget, encoding)) {
        query.append(query.isEmpty() ? "" : "&");
        query.append(pair.name()).append('=').append(pair.value());
      }
    }
    return query.toString();
  }
}
