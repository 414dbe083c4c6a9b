package dev.pinion.core.template.parameter;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.function.UnaryOperator;

/**
 * The value of a header field of an operation: a string, or null when the field is left out.
 *
 * @param parameter the parameter in the header
 */
public record StyledHeader(BoundParameter parameter) implements Expression<Payload> {
  @Override
  public Payload evaluate(Payload input, Scope scope, Budget budget) {
    String text = parameter.text(input, scope, budget, UnaryOperator.identity());
    return text == null ? Payload.NULL : Payload.of(text);
  }
}
