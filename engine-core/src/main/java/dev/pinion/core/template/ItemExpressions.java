package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;

/** The items of loops. */
public final class ItemExpressions {
  private ItemExpressions() {}

  /** The items of the array that an expression yields; anything else is an expression error. */
  public static Expression<List<Payload>> of(Expression<Payload> expression) {
    return (input, scope, budget) -> {
      JsonNode value = expression.evaluate(input, scope, budget).json();
      if (!value.isArray()) {
        throw new ExpressionException(
            "expected an array of items, found " + JqValues.describe(value));
      }
      budget.charge(1 + value.size() / 2);
      List<Payload> items = new ArrayList<>(value.size());
      value.forEach(item -> items.add(Payload.of(item)));
      return List.copyOf(items);
    };
  }
}
