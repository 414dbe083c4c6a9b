package dev.pinion.broker.document;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.core.model.Diagnostic;
import java.util.List;

/** Result of reading a document. */
public sealed interface Reading {
  /**
   * A problem that can be solved.
   *
   * @param problem the problem
   */
  record Valid(BrokerProblem problem) implements Reading {}

  /**
   * Not a document of the schema, or one that contradicts itself.
   *
   * @param problems the problems, in the order of the document; at least one
   */
  record Invalid(List<Diagnostic> problems) implements Reading {
    /** Copies the list. */
    public Invalid {
      problems = List.copyOf(problems);
    }
  }
}
