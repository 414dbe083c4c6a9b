package dev.pinion.core.frontend.swf;

import dev.pinion.core.ir.Block;
import dev.pinion.core.ir.Node;
import dev.pinion.core.ir.TaskCommon;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles the tasks that control the flow: {@code switch}, {@code for} and {@code fork}. */
final class FlowTasks {
  private static final List<String> CASE_KEYS = List.of("when", "then");
  private static final List<String> FOR_KEYS = List.of("each", "in", "at");
  private static final List<String> FORK_KEYS = List.of("branches", "compete");

  private final TaskLists lists;
  private final ExpressionFields expressions;
  private final Diagnostics diagnostics;

  FlowTasks(TaskLists lists, ExpressionFields expressions, Diagnostics diagnostics) {
    this.lists = lists;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  Node switchTask(TaskCommon common, Fields fields, TaskPlace place) {
    List<Node.Case> cases = new ArrayList<>();
    Node.Case otherwise = null;
    for (Value named : lists.named(fields.getPresent("switch"), "case")) {
      Fields keys = Fields.of(named, "a case of a switch", CASE_KEYS, diagnostics);
      int then = place.flow().resolve(keys.required("then"));
      Value when = keys.get("when");
      if (when != null) {
        cases.add(new Node.Case(expressions.condition(when, place.variables().ofTask()), then));
      } else if (otherwise == null) {
        otherwise = new Node.Case(null, then);
      } else if (named.isObject() && !keys.isMisspelt("when")) {
        diagnostics.key(
            named,
            "expected at most one case without \"when\", found \"" + named.name() + "\" too");
      }
    }
    if (otherwise != null) {
      cases.add(otherwise);
    }
    return new Node.Switch(common, cases);
  }

  Node forTask(TaskCommon common, Fields fields, Variables variables) {
    Fields loop = Fields.of(fields.getPresent("for"), "\"for\"", FOR_KEYS, diagnostics);
    Loop head = loop(loop, variables);
    Value condition = fields.get("while");
    Variables inside = variables.with(head.each()).with(head.at());
    Block body = lists.sequence(fields.required("do"), inside);
    return new Node.For(
        common,
        head.each(),
        head.at(),
        head.items(),
        condition == null ? null : expressions.condition(condition, inside.ofTask()),
        body);
  }

  Node fork(TaskCommon common, Fields fields, Variables variables) {
    Fields fork = Fields.of(fields.getPresent("fork"), "\"fork\"", FORK_KEYS, diagnostics);
    List<Node> branches = lists.branches(fork.required("branches"), variables);
    return new Node.Fork(common, branches, fork.flag("compete"));
  }

  /**
   * The head of a loop.
   *
   * @param each variable of the item
   * @param at variable of the index
   * @param items the items
   */
  record Loop(String each, String at, Expression<List<Payload>> items) {}

  /** Reads {@code each}, {@code at} and {@code in}. */
  Loop loop(Fields fields, Variables variables) {
    String each = Variables.name(fields, "each", "item", diagnostics);
    String at = Variables.name(fields, "at", "index", diagnostics);
    if (each.equals(at)) {
      diagnostics.value(
          fields.owner(), "expected different names as \"each\" and \"at\", found \"" + at + "\"");
    }
    return new Loop(each, at, items(fields.required("in"), variables));
  }

  private Expression<List<Payload>> items(@Nullable Value in, Variables variables) {
    return in == null ? Placeholders.expression() : expressions.items(in, variables.ofTask());
  }
}
