package dev.pinion.core.frontend.swf;

import dev.pinion.core.ir.Block;
import dev.pinion.core.ir.Node;
import dev.pinion.core.ir.TaskCommon;
import dev.pinion.core.model.Expression;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code try} and its {@code catch}. */
final class TryTasks {
  private static final List<String> CATCH_KEYS =
      List.of("errors", "as", "when", "exceptWhen", "retry", "do", "then");

  private final TaskLists lists;
  private final Retries retries;
  private final ExpressionFields expressions;
  private final Diagnostics diagnostics;

  TryTasks(
      TaskLists lists, Retries retries, ExpressionFields expressions, Diagnostics diagnostics) {
    this.lists = lists;
    this.retries = retries;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  Retries retries() {
    return retries;
  }

  Node compile(TaskCommon common, Fields fields, TaskPlace place) {
    Block body = lists.sequence(fields.get("try"), place.variables());
    Value handler = fields.required("catch");
    if (handler == null) {
      return Placeholders.task();
    }
    return new Node.Try(common, body, handler(handler, place));
  }

  private Node.Catch handler(Value value, TaskPlace place) {
    Fields fields = Fields.of(value, "\"catch\"", CATCH_KEYS, diagnostics);
    String as = Variables.name(fields, "as", "error", diagnostics);
    Variables variables = place.variables().with(as);
    Set<String> visible = variables.ofTask();
    Value retry = fields.get("retry");
    Value body = fields.get("do");
    Value then = fields.get("then");
    return new Node.Catch(
        ErrorFilter.of(fields.get("errors"), diagnostics),
        as,
        condition(fields.get("when"), visible),
        condition(fields.get("exceptWhen"), visible),
        retry == null ? null : retries.compile(retry, visible),
        body == null ? null : lists.sequence(body, variables),
        then == null ? null : place.flow().resolve(then));
  }

  private @Nullable Expression<Boolean> condition(@Nullable Value value, Set<String> visible) {
    return value == null ? null : expressions.condition(value, visible);
  }
}
