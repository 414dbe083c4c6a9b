package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.TaskSubject;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.TaskKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles {@code metadata.pinion.compensate} of a task: the tasks that undo it. */
final class CompensationCompiler {
  private final TaskListCompiler lists;
  private final TaskNumbers numbers;
  private final Diagnostics diagnostics;

  CompensationCompiler(TaskListCompiler lists, TaskNumbers numbers, Diagnostics diagnostics) {
    this.lists = lists;
    this.numbers = numbers;
    this.diagnostics = diagnostics;
  }

  /**
   * Compiles the compensation of a task.
   *
   * @param compensate the list of tasks, or null when there is none
   * @param kind kind of the task, or null when it is not known
   * @param variables what the task sees
   */
  @Nullable Compensation compile(
      @Nullable DocumentValue compensate, @Nullable TaskKind kind, VisibleVariables variables) {
    if (compensate == null) {
      return null;
    }
    if (variables.isInCompensation()) {
      diagnostics.key(
          compensate, "expected \"compensate\" outside of compensations, found it inside of one");
    } else if (kind == TaskKind.RAISE) {
      diagnostics.key(
          compensate,
          "expected \"compensate\" of a task that can complete, found it of a task of kind raise");
    }
    int id = numbers.next();
    if (numbers.areUsedUp(compensate, diagnostics)) {
      return null;
    }
    TaskAttributes common =
        new TaskAttributes(
            new TaskAttributes.TaskIdentity(
                id,
                compensate.name(),
                variables.around().pointer(compensate),
                compensate.payload()),
            null,
            DataTransform.NONE,
            DataTransform.NONE,
            DataTransform.NONE,
            null,
            FlowDirective.CONTINUE);
    Node.Do task = new Node.Do(common, lists.sequence(compensate, variables.ofCompensation()));
    return new Compensation(task, captured(variables));
  }

  /** What tasks around declare, but for the error, which is that of the compensation. */
  private static List<String> captured(VisibleVariables variables) {
    List<String> names = new ArrayList<>(variables.ofUri());
    names.remove(Compensation.ERROR);
    TaskSubject subject = variables.around().subject();
    if (subject != null) {
      names.addAll(subject.variables());
    }
    return names;
  }
}
