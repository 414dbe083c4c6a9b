package dev.pinion.core.template.parameter;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of an operation and what makes its value. Immutable.
 *
 * @param parameter its form
 * @param in the part of the request that has it, for errors
 * @param required whether it must have a value
 * @param value makes the value; null leaves an optional one out
 * @param place text that errors about the value add
 */
public record BoundParameter(
    StyledParameter parameter,
    String in,
    boolean required,
    Expression<Payload> value,
    String place) {
  /**
   * The value as one text; null when it has none.
   *
   * @param encoding encodes its parts
   */
  @Nullable String text(Payload input, Scope scope, Budget budget, UnaryOperator<String> encoding) {
    JsonNode found = value(input, scope, budget);
    return found == null ? null : writer(encoding, budget).text(found);
  }

  /**
   * The value as names with values; none when it has none.
   *
   * @param encoding encodes its parts
   */
  List<StyleWriter.Pair> pairs(
      Payload input, Scope scope, Budget budget, UnaryOperator<String> encoding) {
    JsonNode found = value(input, scope, budget);
    return found == null ? List.of() : writer(encoding, budget).pairs(found);
  }

  private StyleWriter writer(UnaryOperator<String> encoding, Budget budget) {
    return new StyleWriter(parameter, encoding, place, budget);
  }

  private @Nullable JsonNode value(Payload input, Scope scope, Budget budget) {
    budget.charge(1);
    JsonNode found = value.evaluate(input, scope, budget).json();
    if (!StyleWriter.isUndefined(found, parameter.style())) {
      return found;
    }
    if (required) {
      throw new ExpressionException(
          "expected a value for the parameter \""
              + parameter.name()
              + "\" ("
              + in
              + "), found "
              + (found.isNull() ? "null" : "nothing in it")
              + place);
    }
    return null;
  }
}
