package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.kernel.step.phase.ExpressionDescriptors;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Variables of a task's expressions: those of the language, and those that loops, catches and
 * compensations around the task declare.
 */
final class TaskVariables {
  private static final List<String> ARGUMENTS =
      List.of("context", "input", "output", "task", "workflow", "runtime", "now");

  /** What a compensation declares, beside what its completed task saw. */
  private static final List<String> OF_COMPENSATION =
      List.of(Compensation.ERROR, Compensation.INPUT, Compensation.OUTPUT);

  private TaskVariables() {}

  /** The value of a variable for the expressions of a task, or null when there is none. */
  static @Nullable Payload of(Activity task, String name) {
    return switch (name) {
      case "context" -> task.branch.context();
      case "input" -> task.input;
      case "output" -> task.output;
      case "task" -> descriptor(task);
      case "workflow" -> workflow(task.instance);
      case "runtime" -> ExpressionDescriptors.RUNTIME;
      case "now" -> ExpressionDescriptors.seconds(task.phaseEpochMillis());
      default -> lexical(task, name, task.branch);
    };
  }

  /**
   * The value of a variable that a task around another one declares, as the compensation of that
   * one will see it; null when there is none.
   */
  static @Nullable Payload around(Activity task, String name) {
    Activity parent = task.parent;
    return parent == null ? null : lexical(parent, name, task.branch);
  }

  private static Payload descriptor(Activity task) {
    return ExpressionDescriptors.task(
        task.node.attributes(), task.rawInput, task.rawOutput, task.startedAtEpochMillis);
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
        OF_COMPENSATION.forEach(name -> put(values, name, of(task, name)));
        completed.compensation().variables().forEach(name -> put(values, name, of(task, name)));
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
      case Node.Do around when around.self() != null -> List.of(around.self());
      case Node.Listen listen when listen.foreach() != null ->
          List.of(listen.foreach().item(), listen.foreach().at());
      case Node.Subscribe subscription when subscription.foreach() != null ->
          List.of(subscription.foreach().item(), subscription.foreach().at());
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
      if (at.compensated != null) {
        return ofCompensation(at, at.compensated, name);
      }
      inner = at.branch;
    }
    return null;
  }

  private static @Nullable Payload ofCompensation(
      Activity compensation, CompletedTask completed, String name) {
    return switch (name) {
      case Compensation.ERROR -> Compensator.reason(compensation);
      case Compensation.INPUT -> completed.input();
      case Compensation.OUTPUT -> completed.output();
      default -> completed.variable(name);
    };
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
      case Node.Subscribe subscription
          when subscription.foreach() != null && at.results.length > 0 ->
          item(
              name,
              subscription.foreach().item(),
              subscription.foreach().at(),
              at.results[0],
              at.items.size());
      case Node.Do around when name.equals(around.self()) ->
          ExpressionDescriptors.enclosing(descriptor(at), at.input);
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
