package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ReusableComponents;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.template.ConstantExpressions;
import dev.pinion.core.template.ErrorTemplate;
import dev.pinion.core.template.UriTemplate;
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
        : new Node.Raise(common, inline(definition, visibleVariables));
  }

  /** Checks the reusable errors that no task refers to. */
  void checkUnused() {
    for (DocumentValue error : reusable.unused()) {
      inline(error, VisibleVariables.NONE);
    }
  }

  private Expression<WorkflowError> inline(DocumentValue error, VisibleVariables variables) {
    Set<String> visible = variables.ofTask();
    FieldReader fieldReader = FieldReader.of(error, "an error", ERROR_KEYS, diagnostics);
    DocumentValue type = fieldReader.requiredText("type");
    fieldReader.required("status");
    long status = fieldReader.integer("status", LEAST_STATUS, GREATEST_STATUS, LEAST_STATUS);
    return new ErrorTemplate(
        type == null ? Placeholders.expression() : type(type, variables),
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

  /** A URI, which may have variables in braces, or an expression. */
  private Expression<Payload> type(DocumentValue text, VisibleVariables variables) {
    boolean isTemplate = text.text().indexOf('{') >= 0 && !text.text().contains("${");
    Expression<Payload> made =
        isTemplate ? uri(text, variables) : expressions.template(text, variables.ofTask());
    return ExpressionLocation.locate(
        ExpressionFieldCompiler.location(text), ErrorTemplate.typeOf(made));
  }

  private Expression<Payload> uri(DocumentValue text, VisibleVariables variables) {
    UriTemplate template =
        UriTemplate.compile(
            text.text(),
            variables.ofUri(),
            problem -> expressions.report(text, problem.offset(), problem));
    return template == null ? Placeholders.expression() : textOf(template);
  }

  private static Expression<Payload> textOf(UriTemplate template) {
    return (input, scope, budget) -> Payload.of(template.evaluate(input, scope, budget));
  }

  private @Nullable Expression<Payload> part(@Nullable DocumentValue text, Set<String> visible) {
    return text == null
        ? null
        : ExpressionFieldCompiler.located(
            text, ErrorTemplate.partOf(text.name(), expressions.template(text, visible)));
  }
}
