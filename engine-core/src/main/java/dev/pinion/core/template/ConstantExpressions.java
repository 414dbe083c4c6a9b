package dev.pinion.core.template;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;

/** Expressions with a known value. */
public final class ConstantExpressions {
  private ConstantExpressions() {}

  /** An expression that always yields the same payload. */
  public static Expression<Payload> of(Payload value) {
    return (input, scope, budget) -> {
      budget.charge(1);
      return value;
    };
  }
}
