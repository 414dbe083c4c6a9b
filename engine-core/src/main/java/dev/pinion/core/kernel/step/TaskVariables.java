package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.Node;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Variables of a task's expressions: those of the language, and those that loops and catches around
 * the task declare. In a compensation, input and output are those of the completed task.
 */
final class TaskVariables {
  private static final List<String> ARGUMENTS =
      List.of("context", "input", "output", "task", "workflow", "runtime", "now");

  private TaskVariables() {}

  /** The value of a variable for the expressions of a task, or null when there is none. */
  static @Nullable Payload of(Activity task, String name) {
    return switch (name) {
      case "context" -> task.branch.context();
      case Compensation.INPUT -> {
        CompletedTask completed = compensatedBy(task);
        yield completed == null ? task.input : completed.input();
      }
      case Compensation.OUTPUT -> {
        CompletedTask completed = compensatedBy(task);
        yield completed == null ? task.output : completed.output();
      }
      case "task" ->
          ExpressionDescriptors.task(
              task.node.attributes(), task.rawInput, task.rawOutput, task.startedAtEpochMillis);
      case "workflow" -> workflow(task.instance);
      case "runtime" -> ExpressionDescriptors.RUNTIME;
      case "now" -> ExpressionDescriptors.seconds(task.phaseEpochMillis());
      default -> lexical(task, name, task.branch);
    };
  }

  /**
   * The value of a variable that an enclosing loop or catch declares, as the compensation of a task
   * will see it; null when there is none.
   */
  static @Nullable Payload around(Activity task, String name) {
    Activity parent = task.parent;
    return parent == null ? null : lexical(parent, name, task.branch);
  }

  /** The completed task that is compensated by what a task is part of, or null. */
  private static @Nullable CompletedTask compensatedBy(Activity task) {
    if (task.instance.compensations == null) {
      return null;
    }
    for (Activity at = task; at != null; at = at.parent) {
      if (at.compensated != null) {
        return at.compensated;
      }
    }
    return null;
  }

  /** The variables for the expressions of a task as they are now. */
  static Scope frozen(Activity task) {
    Map<String, Payload> values = new HashMap<>();
    for (String name : ARGUMENTS) {
      put(values, name, of(task, name));
    }
    for (Activity at = task; at != null; at = at.parent) {
      for (String name : declared(at.node)) {
        put(values, name, of(task, name));
      }
      CompletedTask completed = at.compensated;
      if (completed != null) {
        put(values, Compensation.ERROR, of(task, Compensation.ERROR));
        for (String name : completed.compensation().variables()) {
          put(values, name, of(task, name));
        }
      }
    }
    return values::get;
  }

  private static void put(Map<String, Payload> values, String name, @Nullable Payload value) {
    if (value != null) {
      values.put(name, value);
    }
  }

  /** Names that a task may declare for what runs inside it. */
  private static List<String> declared(Node node) {
    return switch (node) {
      case Node.For loop -> List.of(loop.each(), loop.at());
      case Node.ParallelForEach loop -> List.of(loop.each(), loop.at());
      case Node.Try attempt -> List.of(attempt.handler().as());
      case Node.Listen listen when listen.foreach() != null ->
          List.of(listen.foreach().item(), listen.foreach().at());
      default -> List.of();
    };
  }

  private static Payload workflow(Instance instance) {
    return ExpressionDescriptors.workflow(
        instance.id, instance.graph.definition(), instance.rawInput, instance.startedAtEpochMillis);
  }

  /**
   * A variable that a loop, a catch or a compensation declares.
   *
   * @param from the innermost task that may
   * @param branch the branch that looks it up
   */
  private static @Nullable Payload lexical(Activity from, String name, Branch branch) {
    Branch inner = branch;
    for (Activity at = from; at != null; at = at.parent) {
      Payload value = declared(at, name, inner);
      if (value != null) {
        return value;
      }
      CompletedTask completed = at.compensated;
      if (completed != null) {
        return name.equals(Compensation.ERROR) ? Compensator.reason(at) : completed.variable(name);
      }
      inner = at.branch;
    }
    return null;
  }

  /**
   * A variable that a task declares for what runs inside it.
   *
   * @param inner the branch that looks it up
   */
  private static @Nullable Payload declared(Activity at, String name, Branch inner) {
    return switch (at.node) {
      case Node.For loop
          when at.activityPhase == ActivityPhase.BODY && at.cursor < at.items.size() ->
          item(name, loop.each(), loop.at(), at.items.get(at.cursor), at.cursor);
      case Node.ParallelForEach loop when inner.owner == at ->
          item(name, loop.each(), loop.at(), inner.item(), inner.index);
      case Node.Listen listen
          when at.listening != null && at.listening.item != null && listen.foreach() != null ->
          item(name, listen.foreach().item(), listen.foreach().at(), at.listening.item, at.cursor);
      case Node.Try attempt when at.tryState != null && name.equals(attempt.handler().as()) ->
          at.tryState.errorPayload();
      default -> null;
    };
  }

  private static @Nullable Payload item(
      String name, String each, String at, Payload item, int index) {
    if (name.equals(each)) {
      return item;
    }
    return name.equals(at) ? Payload.of(index) : null;
  }
}
