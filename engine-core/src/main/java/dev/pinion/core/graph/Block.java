package dev.pinion.core.graph;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Tasks that run one after another, sharing a scope of flow directives.
 *
 * @param tasks at least one, in document order
 * @param repeats whether a flow directive leads back, so that a task may run several times
 */
public record Block(List<Node> tasks, boolean repeats) {
  /** Copies the list and checks that it is not empty. */
  public Block {
    tasks = List.copyOf(tasks);
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("expected at least one task in a block, found none");
    }
  }

  /** A block of tasks; the tasks tell whether one of them leads back. */
  public Block(List<Node> tasks) {
    this(tasks, leadsBack(tasks));
  }

  private static boolean leadsBack(List<Node> tasks) {
    for (int i = 0; i < tasks.size(); i++) {
      if (leadsBack(tasks.get(i), i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean leadsBack(Node task, int index) {
    return targets(task).anyMatch(target -> target >= 0 && target <= index);
  }

  /** The targets of the flow from a task, in its block. */
  private static IntStream targets(Node task) {
    IntStream own = IntStream.of(task.attributes().next());
    return switch (task) {
      case Node.Switch choice ->
          IntStream.concat(own, choice.cases().stream().mapToInt(Node.Case::then));
      case Node.Try attempt when attempt.handler().then() != null ->
          IntStream.concat(own, IntStream.of(attempt.handler().then()));
      case Node.Do around when around.self() != null ->
          IntStream.concat(own, around.body().tasks().stream().flatMapToInt(Block::outerTargets));
      default -> own;
    };
  }

  private static IntStream outerTargets(Node task) {
    return targets(task).filter(FlowDirective::isOuter).map(FlowDirective::inOuter);
  }
}
