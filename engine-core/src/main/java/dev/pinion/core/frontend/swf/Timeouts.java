package dev.pinion.core.frontend.swf;

import dev.pinion.core.model.Expression;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code timeout}: inline, or the name of one under {@code use.timeouts}. */
final class Timeouts {
  private static final List<String> KEYS = List.of("after");

  private final Reusables.Group reusable;
  private final ExpressionFields expressions;
  private final Diagnostics diagnostics;

  Timeouts(Reusables reusables, ExpressionFields expressions, Diagnostics diagnostics) {
    this.reusable = reusables.timeouts();
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** The time in nanoseconds, or null for no limit. */
  @Nullable Expression<Long> compile(@Nullable Value timeout, Set<String> variables) {
    Value definition = timeout == null ? null : reusable.resolve(timeout);
    return definition == null ? null : inline(definition, variables);
  }

  /** Checks the reusable timeouts that nothing refers to. */
  void checkUnused() {
    for (Value timeout : reusable.unused()) {
      inline(timeout, Variables.NONE.ofRawInput());
    }
  }

  private @Nullable Expression<Long> inline(Value timeout, Set<String> variables) {
    Value after = Fields.of(timeout, "a timeout", KEYS, diagnostics).required("after");
    return after == null ? null : expressions.duration(after, variables);
  }
}
