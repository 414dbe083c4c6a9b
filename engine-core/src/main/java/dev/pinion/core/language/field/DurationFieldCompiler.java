package dev.pinion.core.language.field;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.model.Expression;
import dev.pinion.core.template.Durations;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles durations: ISO 8601, inline, or an expression that yields ISO 8601. */
public final class DurationFieldCompiler {
  private static final List<String> PARTS =
      List.of("days", "hours", "minutes", "seconds", "milliseconds");

  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  /** A compiler of the durations of one document. */
  public DurationFieldCompiler(ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** A duration in nanoseconds. */
  public Expression<Long> compile(DocumentValue documentValue, Set<String> variables) {
    if (ExpressionFieldCompiler.isEnclosed(documentValue) || isLooseExpression(documentValue)) {
      return ExpressionFieldCompiler.located(
          documentValue, Durations.of(expressions.expression(documentValue, variables)));
    }
    Long nanos = constant(documentValue);
    return nanos == null ? Placeholders.expression() : Durations.constant(nanos);
  }

  /** Whether a text is an expression because the mode is loose, and it is no duration. */
  private boolean isLooseExpression(DocumentValue documentValue) {
    if (!expressions.isLoose() || !documentValue.isText()) {
      return false;
    }
    try {
      long _ = Durations.parse(documentValue.text());
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  /** A duration in nanoseconds that no expression makes; null when it is wrong, as is reported. */
  public @Nullable Long constant(DocumentValue documentValue) {
    try {
      if (documentValue.isText()) {
        return Durations.parse(documentValue.text());
      }
      if (documentValue.isObject()) {
        return inline(documentValue);
      }
      diagnostics.expected(
          documentValue,
          "an ISO 8601 duration such as PT1M30S, or an object of " + String.join(", ", PARTS));
    } catch (IllegalArgumentException e) {
      diagnostics.value(documentValue, String.valueOf(e.getMessage()));
    }
    return null;
  }

  private long inline(DocumentValue documentValue) {
    FieldReader fieldReader = FieldReader.of(documentValue, "a duration", PARTS, diagnostics);
    if (documentValue.json().isEmpty()) {
      throw new IllegalArgumentException(
          "expected at least one of " + String.join(", ", PARTS) + ", found an empty object");
    }
    long[] parts = new long[PARTS.size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = fieldReader.integer(PARTS.get(i), 0, Long.MAX_VALUE, 0);
    }
    return Durations.of(parts[0], parts[1], parts[2], parts[3], parts[4]);
  }
}
