package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.DurationFieldCompiler;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ReusableComponents;
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

  /** Refuses a time that depends on the input of its task. */
  void requireFixed(@Nullable DocumentValue timeout) {
    DocumentValue definition = timeout == null ? null : reusable.resolve(timeout);
    boolean computed =
        definition != null
            && definition.members().stream().anyMatch(ExpressionFieldCompiler::isEnclosed);
    if (timeout != null && computed) {
      diagnostics.value(
          timeout,
          "expected a fixed time of a task whose input.from uses secrets, found an expression");
    }
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
