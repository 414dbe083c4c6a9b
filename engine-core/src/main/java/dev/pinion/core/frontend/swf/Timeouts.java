package dev.pinion.core.frontend.swf;

import dev.pinion.core.model.Expression;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code timeout}: inline, or the name of a timeout under {@code use.timeouts}. */
final class Timeouts {
  private static final List<String> KEYS = List.of("after");

  private final Reusables.Group reusable;
  private final DurationFields durations;
  private final Diagnostics diagnostics;

  Timeouts(Reusables reusables, ExpressionFields expressions, Diagnostics diagnostics) {
    this.reusable = reusables.timeouts();
    this.durations = new DurationFields(expressions, diagnostics);
    this.diagnostics = diagnostics;
  }

  /** The time in nanoseconds, or null for no limit. */
  @Nullable Expression<Long> compile(@Nullable Value timeout, Set<String> variables) {
    Value definition = timeout == null ? null : reusable.resolve(timeout);
    return definition == null ? null : inline(definition, variables);
  }

  /** Checks the reusable timeouts that no task refers to. */
  void checkUnused() {
    for (Value timeout : reusable.unused()) {
      inline(timeout, Variables.NONE.ofRawInput());
    }
  }

  private @Nullable Expression<Long> inline(Value timeout, Set<String> variables) {
    Value after = Fields.of(timeout, "a timeout", KEYS, diagnostics).required("after");
    return after == null ? null : durations.compile(after, variables);
  }
}
