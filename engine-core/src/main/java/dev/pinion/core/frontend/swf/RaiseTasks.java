package dev.pinion.core.frontend.swf;

import dev.pinion.core.expr.Constants;
import dev.pinion.core.expr.ErrorTemplate;
import dev.pinion.core.ir.Node;
import dev.pinion.core.ir.TaskCommon;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code raise}: of an inline error, or of an error under {@code use.errors}. */
final class RaiseTasks {
  private static final List<String> KEYS = List.of("error");
  private static final List<String> ERROR_KEYS =
      List.of("type", "status", "instance", "title", "detail");

  private static final int LEAST_STATUS = 100;
  private static final int GREATEST_STATUS = 599;

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

  /** Checks the reusable errors that no task refers to. */
  void checkUnused() {
    for (Value error : reusable.unused()) {
      inline(error, Variables.NONE.ofTask());
    }
  }

  private Expression<WorkflowError> inline(Value error, Set<String> visible) {
    Fields fields = Fields.of(error, "an error", ERROR_KEYS, diagnostics);
    Value type = fields.requiredText("type");
    fields.required("status");
    long status = fields.integer("status", LEAST_STATUS, GREATEST_STATUS, LEAST_STATUS);
    return new ErrorTemplate(
        type == null ? Placeholders.expression() : type(type, visible),
        Constants.of(Payload.of(status)),
        part(fields.text("title"), visible),
        part(fields.text("detail"), visible),
        part(instance(fields.text("instance")), visible));
  }

  private @Nullable Value instance(@Nullable Value instance) {
    if (instance != null && !ExpressionFields.isEnclosed(instance)) {
      String pointer = instance.text();
      if (!pointer.isEmpty() && !pointer.startsWith("/")) {
        diagnostics.expected(instance, "a JSON pointer such as /do/0/task as \"instance\"");
      }
    }
    return instance;
  }

  private Expression<Payload> type(Value text, Set<String> visible) {
    return ExpressionFields.placed(text, ErrorTemplate.typeOf(expressions.template(text, visible)));
  }

  private @Nullable Expression<Payload> part(@Nullable Value text, Set<String> visible) {
    return text == null
        ? null
        : ExpressionFields.placed(
            text, ErrorTemplate.partOf(text.name(), expressions.template(text, visible)));
  }
}
