package dev.pinion.core.frontend.swf;

import dev.pinion.core.ir.Node;
import dev.pinion.core.ir.TaskCommon;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.WorkflowError;
import java.util.List;
import java.util.Set;

/** Compiles {@code raise}: of an inline error, or of one under {@code use.errors}. */
final class RaiseTasks {
  private static final List<String> KEYS = List.of("error");
  private static final List<String> ERROR_KEYS =
      List.of("type", "status", "instance", "title", "detail");

  private final Reusables.Group reusable;
  private final ExpressionFields expressions;
  private final Diagnostics diagnostics;

  RaiseTasks(Reusables reusables, ExpressionFields expressions, Diagnostics diagnostics) {
    this.reusable = reusables.errors();
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  Node compile(TaskCommon common, Fields fields, Variables variables) {
    Fields raise = Fields.of(fields.getPresent("raise"), "\"raise\"", KEYS, diagnostics);
    Value error = raise.required("error");
    Value definition = error == null ? null : reusable.resolve(error);
    return definition == null
        ? Placeholders.task()
        : new Node.Raise(common, inline(definition, variables.ofTask()));
  }

  /** Checks the reusable errors that nothing refers to. */
  void checkUnused() {
    for (Value error : reusable.unused()) {
      inline(error, Variables.NONE.ofTask());
    }
  }

  private Expression<WorkflowError> inline(Value error, Set<String> visible) {
    Fields fields = Fields.of(error, "an error", ERROR_KEYS, diagnostics);
    return expressions.error(fields, visible);
  }
}
