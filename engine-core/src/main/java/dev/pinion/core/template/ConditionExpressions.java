package dev.pinion.core.template;

import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;

/** Conditions made of expressions. */
public final class ConditionExpressions {
  private ConditionExpressions() {}

  /** Whether the value of an expression counts as true in jq: neither null nor false. */
  public static Expression<Boolean> of(Expression<Payload> expression) {
    return (input, scope, budget) ->
        JqValues.truthy(expression.evaluate(input, scope, budget).json());
  }
}
