package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.Surroundings;
import dev.pinion.core.language.field.TaskSubject;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.TaskExtensions.Extension;
import dev.pinion.core.language.reference.TaskKind;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles extended tasks.
 *
 * <pre>
 *   task ─▶ do: if, input, timeout ┌──────────────────────────────────────────┐ output, export, then
 *                                  │ before … ─▶ the task's work ─▶ after …   │
 *                                  └──────────────────────────────────────────┘
 * </pre>
 *
 * <p>The tasks of each extension begin with the input of the task, or afterwards with its raw
 * output, and what they make of it is dropped: the task's work gets its input as if there were no
 * extensions. Only {@code exit} before the task leaves all of this, with its output as raw output.
 */
final class ExtensionCompiler {
  private static final TaskSubject TASK = TaskSubject.EXTENDED;

  /** The input of the extended task. */
  private static final Expression<Payload> ITS_INPUT =
      (input, scope, budget) -> {
        budget.charge(1);
        return TASK.input(scope);
      };

  /** The input of the task that has this expression, transformed. */
  private static final Expression<Payload> OWN_INPUT =
      (input, scope, budget) -> {
        budget.charge(1);
        Payload own = scope.variable("input");
        return own == null ? input : own;
      };

  private static final DataTransform RESTORED = new DataTransform(null, ITS_INPUT);
  private static final DataTransform KEPT = new DataTransform(null, OWN_INPUT);

  private final TaskListCompiler lists;
  private final ExpressionFieldCompiler expressions;
  private final TaskNumbers numbers;

  ExtensionCompiler(
      TaskListCompiler lists, ExpressionFieldCompiler expressions, TaskNumbers numbers) {
    this.lists = lists;
    this.expressions = expressions;
    this.numbers = numbers;
  }

  /** Compiles the work of a task. */
  @FunctionalInterface
  interface WorkCompiler {
    Node compile(TaskAttributes common);
  }

  /**
   * A task with the tasks of its extensions.
   *
   * @param common the common members of the task
   * @param extensions at least one
   * @param work compiles the rest of the task
   */
  Node compile(TaskAttributes common, List<Extension> extensions, WorkCompiler work) {
    List<Node> block = new ArrayList<>();
    for (Extension extension : extensions) {
      DocumentValue before = extension.before();
      if (before != null) {
        before(common, extension, before, block);
      }
    }
    block.add(compileSubject(work, common, block.isEmpty()));
    for (Extension extension : extensions) {
      DocumentValue after = extension.after();
      if (after != null) {
        block.add(after(common, extension, after));
      }
    }
    return new Node.Do(common, new Block(block), TASK.variable());
  }

  private Node compileSubject(WorkCompiler work, TaskAttributes common, boolean first) {
    return work.compile(
        attributes(
            new TaskAttributes.TaskIdentity(
                numbers.next(), common.name(), common.pointer(), common.definition()),
            null,
            first ? DataTransform.NONE : RESTORED,
            DataTransform.NONE,
            FlowDirective.CONTINUE));
  }

  /** Adds the tasks before; {@code exit} from one of them leaves the extended task. */
  private void before(
      TaskAttributes common, Extension extension, DocumentValue list, List<Node> block) {
    List<DocumentValue> named = lists.named(list, "task", TaskKind.allKeys());
    DocumentValue when = extension.when();
    if (when != null || !block.isEmpty()) {
      int behind = block.size() + 1 + named.size();
      TaskAttributes gate =
          attributes(
              identity(common, extension, "when", when == null ? list : when),
              null,
              block.isEmpty() ? DataTransform.NONE : RESTORED,
              DataTransform.NONE,
              when == null ? FlowDirective.CONTINUE : behind);
      block.add(
          new Node.Switch(
              gate,
              when == null
                  ? List.of()
                  : List.of(
                      new Node.Case(
                          condition(when, TaskSubject.EXTENSION_BEFORE), FlowDirective.CONTINUE))));
    }
    block.addAll(
        lists.sequence(
            named, block.size(), place(common, extension, list, TaskSubject.EXTENSION_BEFORE)));
  }

  private Node after(TaskAttributes common, Extension extension, DocumentValue list) {
    DocumentValue when = extension.when();
    TaskAttributes keeping =
        attributes(
            identity(common, extension, list.name(), list),
            when == null ? null : condition(when, TaskSubject.EXTENSION_AFTER),
            DataTransform.NONE,
            KEPT,
            FlowDirective.CONTINUE);
    Block body = lists.sequence(list, place(common, extension, list, TaskSubject.EXTENSION_AFTER));
    return new Node.Do(keeping, body, TaskSubject.ENDED);
  }

  private Expression<Boolean> condition(DocumentValue when, TaskSubject subject) {
    TaskSubject before = expressions.about(null); // the condition itself says what $task means
    boolean compensating = expressions.compensating(false); // and $input
    try {
      return ExtensionCondition.of(
          expressions.condition(when, VisibleVariables.NONE.ofTask()), subject);
    } finally {
      expressions.about(before);
      expressions.compensating(compensating);
    }
  }

  private VisibleVariables place(
      TaskAttributes common, Extension extension, DocumentValue list, TaskSubject subject) {
    return VisibleVariables.at(
        Surroundings.DEFINITION.extension(
            list.pointer(), pointer(common, extension, list.name()), subject));
  }

  private static String pointer(TaskAttributes common, Extension extension, String part) {
    String placed = extension.place().pointer();
    String name = placed.substring(placed.lastIndexOf('/'));
    return common.pointer() + "/extensions" + name + "/" + part;
  }

  private TaskAttributes.TaskIdentity identity(
      TaskAttributes common, Extension extension, String part, DocumentValue definition) {
    return new TaskAttributes.TaskIdentity(
        numbers.next(), extension.name(), pointer(common, extension, part), definition.payload());
  }

  private static TaskAttributes attributes(
      TaskAttributes.TaskIdentity identity,
      @Nullable Expression<Boolean> condition,
      DataTransform input,
      DataTransform output,
      int next) {
    return new TaskAttributes(identity, condition, input, output, DataTransform.NONE, null, next);
  }

  /** Checks extensions that no task has. */
  void checkUnused(List<Extension> unused) {
    for (Extension extension : unused) {
      TaskAttributes none = Placeholders.task().attributes();
      if (extension.before() != null) {
        before(none, extension, extension.before(), new ArrayList<>());
      }
      if (extension.after() != null) {
        after(none, extension, extension.after());
      }
      if (extension.before() == null && extension.after() == null && extension.when() != null) {
        condition(extension.when(), TaskSubject.EXTENSION_BEFORE);
      }
    }
  }
}
