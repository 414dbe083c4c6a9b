package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.template.ConstantExpressions;
import dev.pinion.core.template.ErrorTemplate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code raise}: of an inline error, or of an error under {@code use.errors}. */
final class RaiseTaskCompiler {
  private static final List<String> KEYS = List.of("error");
  private static final List<String> ERROR_KEYS =
      List.of("type", "status", "instance", "title", "detail");

  private static final int LEAST_STATUS = 100;
  private static final int GREATEST_STATUS = 599;

  private final ReusableComponents.ComponentGroup reusable;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  RaiseTaskCompiler(
      ReusableComponents reusableComponents,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.reusable = reusableComponents.errors();
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  Node compile(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    FieldReader raise =
        FieldReader.of(fieldReader.getPresent("raise"), "\"raise\"", KEYS, diagnostics);
    DocumentValue error = raise.required("error");
    DocumentValue definition = error == null ? null : reusable.resolve(error);
    return definition == null
        ? Placeholders.task()
        : new Node.Raise(common, inline(definition, visibleVariables.ofTask()));
  }

  /** Checks the reusable errors that no task refers to. */
  void checkUnused() {
    for (DocumentValue error : reusable.unused()) {
      inline(error, VisibleVariables.NONE.ofTask());
    }
  }

  private Expression<WorkflowError> inline(DocumentValue error, Set<String> visible) {
    FieldReader fieldReader = FieldReader.of(error, "an error", ERROR_KEYS, diagnostics);
    DocumentValue type = fieldReader.requiredText("type");
    fieldReader.required("status");
    long status = fieldReader.integer("status", LEAST_STATUS, GREATEST_STATUS, LEAST_STATUS);
    return new ErrorTemplate(
        type == null ? Placeholders.expression() : type(type, visible),
        ConstantExpressions.of(Payload.of(status)),
        part(fieldReader.text("title"), visible),
        part(fieldReader.text("detail"), visible),
        part(instance(fieldReader.text("instance")), visible));
  }

  private @Nullable DocumentValue instance(@Nullable DocumentValue instance) {
    if (instance != null && !ExpressionFieldCompiler.isEnclosed(instance)) {
      String pointer = instance.text();
      if (!pointer.isEmpty() && !pointer.startsWith("/")) {
        diagnostics.expected(instance, "a JSON pointer such as /do/0/task as \"instance\"");
      }
    }
    return instance;
  }

  private Expression<Payload> type(DocumentValue text, Set<String> visible) {
    return ExpressionFieldCompiler.located(
        text, ErrorTemplate.typeOf(expressions.template(text, visible)));
  }

  private @Nullable Expression<Payload> part(@Nullable DocumentValue text, Set<String> visible) {
    return text == null
        ? null
        : ExpressionFieldCompiler.located(
            text, ErrorTemplate.partOf(text.name(), expressions.template(text, visible)));
  }
}
