package dev.pinion.core.language;

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
final class Placeholders {
  private Placeholders() {}

  static <T> Expression<T> expression() {
    return (input, scope, budget) -> {
      throw new IllegalStateException("expected a graph without placeholders, found one");
    };
  }

  static Node task() {
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

  static Block block() {
    return new Block(List.of(task()));
  }
}
