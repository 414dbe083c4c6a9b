package dev.pinion.core.frontend.swf;

import dev.pinion.core.expr.Durations;
import dev.pinion.core.model.Expression;
import java.util.List;
import java.util.Set;

/** Compiles durations: ISO 8601, inline, or an expression that yields ISO 8601. */
final class DurationFields {
  private static final List<String> PARTS =
      List.of("days", "hours", "minutes", "seconds", "milliseconds");

  private final ExpressionFields expressions;
  private final Diagnostics diagnostics;

  DurationFields(ExpressionFields expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** A duration in nanoseconds. */
  Expression<Long> compile(Value value, Set<String> variables) {
    if (ExpressionFields.isEnclosed(value)) {
      return ExpressionFields.placed(value, Durations.of(expressions.expression(value, variables)));
    }
    try {
      if (value.isText()) {
        return Durations.constant(Durations.parse(value.text()));
      }
      if (value.isObject()) {
        return Durations.constant(inline(value));
      }
      diagnostics.expected(
          value,
          "an ISO 8601 duration such as PT1M30S, or an object of " + String.join(", ", PARTS));
    } catch (IllegalArgumentException e) {
      diagnostics.value(value, String.valueOf(e.getMessage()));
    }
    return Placeholders.expression();
  }

  private long inline(Value value) {
    Fields fields = Fields.of(value, "a duration", PARTS, diagnostics);
    if (value.json().isEmpty()) {
      throw new IllegalArgumentException(
          "expected at least one of " + String.join(", ", PARTS) + ", found an empty object");
    }
    long[] parts = new long[PARTS.size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = fields.integer(PARTS.get(i), 0, Long.MAX_VALUE, 0);
    }
    return Durations.of(parts[0], parts[1], parts[2], parts[3], parts[4]);
  }
}
