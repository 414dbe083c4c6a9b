package dev.pinion.core.frontend.swf;

import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code input}, {@code output} and {@code export} of a task or a workflow. */
final class DataFlow {
  /**
   * One of the three steps.
   *
   * @param schema the check, or null
   * @param transformation the {@code from} or {@code as}, or null
   */
  record Step(@Nullable Expression<Payload> schema, @Nullable Expression<Payload> transformation) {}

  private static final Step NOTHING = new Step(null, null);

  private final Schemas schemas;
  private final ExpressionFields expressions;
  private final Diagnostics diagnostics;

  DataFlow(Schemas schemas, ExpressionFields expressions, Diagnostics diagnostics) {
    this.schemas = schemas;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** {@code input}: check, then {@code from}. */
  Step input(@Nullable Value input, Set<String> variables) {
    return step(input, "an input", "from", variables);
  }

  /** {@code output}: {@code as}, then check. */
  Step output(@Nullable Value output, Set<String> variables) {
    return step(output, "an output", "as", variables);
  }

  /** {@code export}: {@code as}, then check. */
  Step export(@Nullable Value export, Set<String> variables) {
    return step(export, "an export", "as", variables);
  }

  private Step step(@Nullable Value value, String what, String key, Set<String> variables) {
    if (value == null) {
      return NOTHING;
    }
    Fields fields = Fields.of(value, what, List.of("schema", key), diagnostics);
    Value transformation = fields.get(key);
    return new Step(
        schemas.check(fields.get("schema")),
        transformation == null ? null : expressions.transformation(transformation, variables));
  }
}
