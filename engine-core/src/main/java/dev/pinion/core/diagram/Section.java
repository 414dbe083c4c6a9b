package dev.pinion.core.diagram;

import java.util.List;

/**
 * The shapes of one list of tasks and the flow among them; flows never leave it. The first shape is
 * where the flow begins, then come the tasks in their order, then the ends that are reached.
 */
public record Section(List<Shape> shapes, List<Flow> flows) {
  /** No tasks. */
  public static final Section EMPTY = new Section(List.of(), List.of());

  /** Copies the lists. */
  public Section {
    shapes = List.copyOf(shapes);
    flows = List.copyOf(flows);
  }

  /** Whether it has no shapes. */
  public boolean isEmpty() {
    return shapes.isEmpty();
  }
}
