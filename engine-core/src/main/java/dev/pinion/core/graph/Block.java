package dev.pinion.core.graph;

import java.util.List;

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
    return isBack(task.attributes().next(), index)
        || switch (task) {
          case Node.Switch choice -> choice.cases().stream().anyMatch(c -> isBack(c.then(), index));
          case Node.Try attempt -> {
            Integer then = attempt.handler().then();
            yield then != null && isBack(then, index);
          }
          default -> false;
        };
  }

  private static boolean isBack(int target, int index) {
    return target >= 0 && target <= index;
  }
}
