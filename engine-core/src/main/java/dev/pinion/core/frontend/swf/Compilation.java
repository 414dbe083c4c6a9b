package dev.pinion.core.frontend.swf;

import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.NamedChains;
import dev.pinion.core.model.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of the text of a definition. */
public sealed interface Compilation {
  /**
   * It is sound.
   *
   * @param graph what the kernel runs
   * @param document the document as JSON, members in document order
   * @param chains the chains of handlers that it names
   * @param orderingKey makes the ordering key of a start from its input, or null
   */
  record Compiled(
      ProcessGraph graph,
      Payload document,
      NamedChains chains,
      @Nullable Expression<Payload> orderingKey)
      implements Compilation {}

  /**
   * It is refused.
   *
   * @param problems every problem found, by position; at least one
   */
  record Refused(List<Diagnostic> problems) implements Compilation {
    /** Copies the list. */
    public Refused {
      problems = List.copyOf(problems);
    }
  }
}
