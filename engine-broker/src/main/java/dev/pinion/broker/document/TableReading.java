package dev.pinion.broker.document;

import dev.pinion.core.model.Diagnostic;
import java.util.List;

/**
 * What came of reading a document of the registry or a table.
 *
 * @param <T> what the document holds
 */
public sealed interface TableReading<T> {
  /**
   * All is well.
   *
   * @param value what the document holds
   */
  record Valid<T>(T value) implements TableReading<T> {}

  /**
   * Not such a document, or one that contradicts itself.
   *
   * @param problems what is wrong, in the order of the document; at least one
   */
  record Invalid<T>(List<Diagnostic> problems) implements TableReading<T> {
    /** Copies the list. */
    public Invalid {
      problems = List.copyOf(problems);
    }
  }
}
