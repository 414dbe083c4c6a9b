package dev.pinion.core.ir;

import java.util.List;

/**
 * Tasks that run one after another, sharing a scope of flow directives.
 *
 * @param tasks at least one, in document order
 */
public record Block(List<Node> tasks) {
  /** Copies the list and checks that it is not empty. */
  public Block {
    tasks = List.copyOf(tasks);
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("expected at least one task in a block, found none");
    }
  }
}
