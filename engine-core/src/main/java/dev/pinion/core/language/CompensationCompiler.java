package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Compiles {@code metadata.pinion.compensate} of a task: the tasks that undo it. */
final class CompensationCompiler {
  private final TaskListCompiler lists;
  private final ToIntFunction<DocumentValue> numbering;
  private final Diagnostics diagnostics;

  /**
   * A compiler.
   *
   * @param numbering gives a task its number
   */
  CompensationCompiler(
      TaskListCompiler lists, ToIntFunction<DocumentValue> numbering, Diagnostics diagnostics) {
    this.lists = lists;
    this.numbering = numbering;
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
    int id = numbering.applyAsInt(compensate);
    TaskAttributes common =
        new TaskAttributes(
            new TaskAttributes.TaskIdentity(
                id, compensate.name(), compensate.pointer(), compensate.payload()),
            null,
            DataTransform.NONE,
            DataTransform.NONE,
            DataTransform.NONE,
            null,
            FlowDirective.CONTINUE);
    Node.Do task = new Node.Do(common, lists.sequence(compensate, variables.ofCompensation()));
    List<String> seen =
        variables.named().stream().filter(name -> !name.equals(Compensation.ERROR)).toList();
    return new Compensation(task, seen);
  }
}
