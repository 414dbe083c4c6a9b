package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.KnownMembers;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.Surroundings;
import dev.pinion.core.language.field.TaskSubject;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.template.ConstantExpressions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles calls of functions: a function is a task, which is inlined into each call.
 *
 * <pre>
 *   call ─▶ do: if, input, timeout ┌──────────────────────────────┐ output, export, then
 *                                  │ set: with ─▶ function's task │
 *                                  └──────────────────────────────┘
 * </pre>
 *
 * <p>So the function's raw input is its arguments, and it sees no variables of loops and catches
 * around the call.
 */
final class FunctionCallCompiler {
  private final int maxDepth;
  private final ExpressionFieldCompiler expressions;
  private final TaskNumbers numbers;
  private final Diagnostics diagnostics;

  FunctionCallCompiler(
      int maxDepth,
      ExpressionFieldCompiler expressions,
      TaskNumbers numbers,
      Diagnostics diagnostics) {
    this.maxDepth = maxDepth;
    this.expressions = expressions;
    this.numbers = numbers;
    this.diagnostics = diagnostics;
  }

  /**
   * A function that tasks call.
   *
   * @param identity what names it in all documents
   * @param task its task
   * @param tasks compiles the tasks of its document
   * @param targets targets of its {@code then}
   */
  record CalledFunction(
      String identity,
      DocumentValue task,
      TaskListCompiler.SingleTaskCompiler tasks,
      FlowTargets targets) {
    Node compile(Surroundings around, KnownMembers arguments) {
      return tasks.compile(
          task, new TaskContext(VisibleVariables.at(around).on(arguments), targets));
    }
  }

  /**
   * A call.
   *
   * @param fieldReader the task that calls
   * @param function the function, or null when there is none, which was reported
   */
  Node compile(
      TaskAttributes common,
      FieldReader fieldReader,
      @Nullable CalledFunction function,
      VisibleVariables visibleVariables) {
    DocumentValue call = fieldReader.getPresent("call");
    DocumentValue with = fieldReader.object("with");
    Node arguments = arguments(common, with, visibleVariables);
    Surroundings around = visibleVariables.around();
    if (function == null
        || isCycle(call, function.identity(), around)
        || isTooDeep(common, call, function.task())) {
      return Placeholders.task();
    }
    Surroundings inside =
        around.called(
            common.pointer(), function.task().pointer(), call.text(), function.identity());
    Node body = function.compile(inside, MemberFlow.ofArguments(with));
    return new Node.Do(common, new Block(List.of(arguments, body)), TaskSubject.CALLER.variable());
  }

  private boolean isCycle(DocumentValue call, String identity, Surroundings around) {
    int first = around.calls().indexOf(identity);
    if (first < 0) {
      return false;
    }
    List<String> cycle = new ArrayList<>(around.calls().subList(first, around.calls().size()));
    cycle.add(identity);
    diagnostics.value(
        call,
        "expected functions that do not call themselves, found the cycle "
            + String.join(" → ", cycle));
    return true;
  }

  private boolean isTooDeep(TaskAttributes common, DocumentValue call, DocumentValue function) {
    int levels = Surroundings.levels(common.pointer(), function.node().depth());
    if (levels > maxDepth) {
      diagnostics.value(
          call,
          "expected nesting of at most "
              + maxDepth
              + " levels (json.maxDepth), functions that are called included, found "
              + levels);
    }
    return levels > maxDepth;
  }

  /** The task whose output is the arguments; its errors are those of the call. */
  private Node arguments(
      TaskAttributes common, @Nullable DocumentValue with, VisibleVariables visibleVariables) {
    TaskAttributes attributes =
        new TaskAttributes(
            new TaskAttributes.TaskIdentity(
                numbers.next(),
                "with",
                common.pointer(),
                with == null ? Payload.EMPTY_OBJECT : with.payload()),
            null,
            DataTransform.NONE,
            DataTransform.NONE,
            DataTransform.NONE,
            null,
            FlowDirective.CONTINUE);
    return new Node.Set(attributes, value(with, visibleVariables));
  }

  private Expression<Payload> value(
      @Nullable DocumentValue with, VisibleVariables visibleVariables) {
    if (with == null) {
      return ConstantExpressions.of(Payload.EMPTY_OBJECT);
    }
    TaskSubject before = expressions.about(TaskSubject.CALLER);
    if (before != null) {
      expressions.about(before); // the call is a part of what that means
    }
    try {
      return expressions.template(with, visibleVariables.ofTask());
    } finally {
      expressions.about(before);
    }
  }
}
