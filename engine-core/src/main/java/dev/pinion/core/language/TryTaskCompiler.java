package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code try} and its {@code catch}. */
final class TryTaskCompiler {
  private static final List<String> CATCH_KEYS =
      List.of("errors", "as", "when", "exceptWhen", "retry", "do", "then");

  private final TaskListCompiler lists;
  private final RetryPolicyCompiler retryPolicyCompiler;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  TryTaskCompiler(
      TaskListCompiler lists,
      RetryPolicyCompiler retryPolicyCompiler,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.lists = lists;
    this.retryPolicyCompiler = retryPolicyCompiler;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  RetryPolicyCompiler retries() {
    return retryPolicyCompiler;
  }

  Node compile(TaskAttributes common, FieldReader fieldReader, TaskContext place) {
    Block body = lists.sequence(fieldReader.get("try"), place.variables());
    DocumentValue handler = fieldReader.required("catch");
    if (handler == null) {
      return Placeholders.task();
    }
    return new Node.Try(common, body, handler(handler, place));
  }

  private Node.Catch handler(DocumentValue documentValue, TaskContext place) {
    FieldReader fieldReader = FieldReader.of(documentValue, "\"catch\"", CATCH_KEYS, diagnostics);
    String as = VisibleVariables.name(fieldReader, "as", "error", diagnostics);
    VisibleVariables visibleVariables = place.variables().with(as);
    Set<String> visible = visibleVariables.ofTask();
    DocumentValue retry = fieldReader.get("retry");
    DocumentValue body = fieldReader.get("do");
    DocumentValue then = fieldReader.get("then");
    return new Node.Catch(
        ErrorFilter.of(fieldReader.get("errors"), diagnostics),
        as,
        condition(fieldReader.get("when"), visible),
        condition(fieldReader.get("exceptWhen"), visible),
        retry == null ? null : retryPolicyCompiler.compile(retry, visible),
        body == null ? null : lists.sequence(body, visibleVariables),
        then == null ? null : place.flow().resolve(then));
  }

  private @Nullable Expression<Boolean> condition(
      @Nullable DocumentValue documentValue, Set<String> visible) {
    return documentValue == null ? null : expressions.condition(documentValue, visible);
  }
}
