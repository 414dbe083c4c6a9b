package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.template.ChildStartTemplate;
import dev.pinion.core.template.ConstantExpressions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code run} of another workflow (DSL reference, "Workflow Process"). */
final class WorkflowRunCompiler {
  private static final List<String> WORKFLOW_KEYS =
      List.of("namespace", "name", "version", "input");

  private static final String NOTHING = "none";

  /** What the output of a workflow is called, and none; other words are for programs. */
  private static final List<String> RETURNS = List.of("stdout", NOTHING);

  private final ExpressionFieldCompiler expressions;
  private final DefinitionNameCheck names;
  private final Diagnostics diagnostics;

  WorkflowRunCompiler(ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.names = new DefinitionNameCheck(diagnostics);
    this.diagnostics = diagnostics;
  }

  Node compile(TaskAttributes common, FieldReader run, VisibleVariables visibleVariables) {
    boolean await = !run.has("await") || run.flag("await");
    boolean returns = !run.word("return", RETURNS).equals(NOTHING);
    return new Node.RunWorkflow(
        common, start(run.getPresent("workflow"), visibleVariables.ofTask()), await, returns);
  }

  private Expression<ChildStart> start(DocumentValue workflow, Set<String> visible) {
    FieldReader fieldReader =
        FieldReader.of(workflow, "a workflow to run", WORKFLOW_KEYS, diagnostics);
    DocumentValue namespace = fieldReader.requiredText("namespace");
    DocumentValue name = fieldReader.requiredText("name");
    DocumentValue version = fieldReader.text("version");
    DocumentValue input = fieldReader.get("input");
    return new ChildStartTemplate(
        part(namespace, visible),
        part(name, visible),
        version == null ? constant(ChildStartTemplate.LATEST) : version(version, visible),
        input == null
            ? ConstantExpressions.of(Payload.EMPTY_OBJECT)
            : expressions.template(input, visible));
  }

  private Expression<Payload> part(@Nullable DocumentValue part, Set<String> visible) {
    if (part == null) {
      return Placeholders.expression();
    }
    return ExpressionFieldCompiler.isEnclosed(part)
        ? computed(part, visible)
        : constant(names.label(part));
  }

  private Expression<Payload> version(DocumentValue version, Set<String> visible) {
    if (ExpressionFieldCompiler.isEnclosed(version)) {
      return computed(version, visible);
    }
    return version.text().equals(ChildStartTemplate.LATEST)
        ? constant(ChildStartTemplate.LATEST)
        : constant(names.version(version, " or " + ChildStartTemplate.LATEST));
  }

  private Expression<Payload> computed(DocumentValue part, Set<String> visible) {
    return ExpressionFieldCompiler.located(
        part, ChildStartTemplate.partOf(part.name(), expressions.expression(part, visible)));
  }

  private static Expression<Payload> constant(String text) {
    return ConstantExpressions.of(Payload.of(text));
  }
}
