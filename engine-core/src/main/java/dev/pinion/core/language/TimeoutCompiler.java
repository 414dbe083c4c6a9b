package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.model.Expression;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code timeout}: inline, or the name of a timeout under {@code use.timeouts}. */
final class TimeoutCompiler {
  private static final List<String> KEYS = List.of("after");

  private final ReusableComponents.ComponentGroup reusable;
  private final DurationFieldCompiler durations;
  private final Diagnostics diagnostics;

  TimeoutCompiler(
      ReusableComponents reusableComponents,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.reusable = reusableComponents.timeouts();
    this.durations = new DurationFieldCompiler(expressions, diagnostics);
    this.diagnostics = diagnostics;
  }

  /** The time in nanoseconds, or null for no limit. */
  @Nullable Expression<Long> compile(@Nullable DocumentValue timeout, Set<String> variables) {
    DocumentValue definition = timeout == null ? null : reusable.resolve(timeout);
    return definition == null ? null : inline(definition, variables);
  }

  /** Checks the reusable timeouts that no task refers to. */
  void checkUnused() {
    for (DocumentValue timeout : reusable.unused()) {
      inline(timeout, VisibleVariables.NONE.ofRawInput());
    }
  }

  private @Nullable Expression<Long> inline(DocumentValue timeout, Set<String> variables) {
    DocumentValue after = FieldReader.of(timeout, "a timeout", KEYS, diagnostics).required("after");
    return after == null ? null : durations.compile(after, variables);
  }
}
