package dev.pinion.core.language.field;

import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.List;

/**
 * Placeholders for parts of a definition that could not be compiled, so that the rest can still be
 * checked. A problem has been reported wherever one of these is used, and a definition with
 * problems never becomes a graph.
 */
public final class Placeholders {
  private Placeholders() {}

  /** An expression that is never evaluated. */
  public static <T> Expression<T> expression() {
    return (input, scope, budget) -> {
      throw new IllegalStateException("expected a graph without placeholders, found one");
    };
  }

  /** A task that never runs. */
  public static Node task() {
    TaskAttributes common =
        new TaskAttributes(
            new TaskAttributes.TaskIdentity(0, "", "", Payload.NULL),
            null,
            DataTransform.NONE,
            DataTransform.NONE,
            DataTransform.NONE,
            null,
            FlowDirective.END);
    return new Node.Set(common, expression());
  }

  /** A block with such a task. */
  public static Block block() {
    return new Block(List.of(task()));
  }
}
