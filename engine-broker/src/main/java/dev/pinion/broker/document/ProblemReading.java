package dev.pinion.broker.document;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.core.model.Diagnostic;
import java.util.List;

/** Result of reading a document. */
public sealed interface ProblemReading {
  /**
   * A problem that can be solved.
   *
   * @param problem the problem
   */
  record ValidProblem(BrokerProblem problem) implements ProblemReading {}

  /**
   * Not a document of the schema, or one that contradicts itself.
   *
   * @param problems the problems, in the order of the document; at least one
   */
  record InvalidProblem(List<Diagnostic> problems) implements ProblemReading {
    /** Copies the list. */
    public InvalidProblem {
      problems = List.copyOf(problems);
    }
  }
}
