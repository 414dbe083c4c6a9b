package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.KnownMembers;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles the tasks that control the flow: {@code switch}, {@code for} and {@code fork}. */
final class ControlFlowTaskCompiler {
  private static final List<String> CASE_KEYS = List.of("when", "then");
  private static final List<String> FOR_KEYS = List.of("each", "in", "at");
  private static final List<String> FORK_KEYS = List.of("branches", "compete");

  private final TaskListCompiler lists;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  ControlFlowTaskCompiler(
      TaskListCompiler lists, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.lists = lists;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  Node switchTask(TaskAttributes common, FieldReader fieldReader, TaskContext place) {
    List<Node.Case> cases = new ArrayList<>();
    Node.Case otherwise = null;
    DocumentValue list = fieldReader.getPresent("switch");
    for (DocumentValue named : lists.named(list, "case", CASE_KEYS)) {
      FieldReader keys = FieldReader.of(named, "a case of a switch", CASE_KEYS, diagnostics);
      int then = place.flow().resolve(keys.required("then"));
      DocumentValue when = keys.get("when");
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

  Node forTask(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    FieldReader loop =
        FieldReader.of(fieldReader.getPresent("for"), "\"for\"", FOR_KEYS, diagnostics);
    LoopHeader head = loop(loop, visibleVariables);
    DocumentValue condition = fieldReader.get("while");
    VisibleVariables inside =
        visibleVariables.with(head.each()).with(head.at()).on(KnownMembers.ANY);
    Block body = lists.sequence(fieldReader.required("do"), inside);
    return new Node.For(
        common,
        head.each(),
        head.at(),
        head.items(),
        condition == null ? null : expressions.condition(condition, inside.ofTask()),
        body);
  }

  Node fork(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    FieldReader fork =
        FieldReader.of(fieldReader.getPresent("fork"), "\"fork\"", FORK_KEYS, diagnostics);
    List<Node> branches = lists.branches(fork.required("branches"), visibleVariables);
    return new Node.Fork(common, branches, fork.flag("compete"));
  }

  /**
   * The head of a loop.
   *
   * @param each variable of the item
   * @param at variable of the index
   * @param items the items
   */
  record LoopHeader(String each, String at, Expression<List<Payload>> items) {}

  /** Reads {@code each}, {@code at} and {@code in}. */
  LoopHeader loop(FieldReader fieldReader, VisibleVariables visibleVariables) {
    String each = VisibleVariables.name(fieldReader, "each", "item", diagnostics);
    String at = VisibleVariables.name(fieldReader, "at", "index", diagnostics);
    if (each.equals(at)) {
      diagnostics.value(
          fieldReader.owner(),
          "expected different names as \"each\" and \"at\", found \"" + at + "\"");
    }
    return new LoopHeader(each, at, items(fieldReader.required("in"), visibleVariables));
  }

  private Expression<List<Payload>> items(
      @Nullable DocumentValue in, VisibleVariables visibleVariables) {
    return in == null
        ? Placeholders.expression()
        : expressions.items(in, visibleVariables.ofTask());
  }
}
