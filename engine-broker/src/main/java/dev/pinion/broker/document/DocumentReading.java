package dev.pinion.broker.document;

import dev.pinion.core.model.Diagnostic;
import java.util.List;

/**
 * Result of reading a document of the registry or a table.
 *
 * @param <T> type of the content
 */
public sealed interface DocumentReading<T> {
  /**
   * A valid document.
   *
   * @param value its content
   */
  record Valid<T>(T value) implements DocumentReading<T> {}

  /**
   * Not such a document, or one that contradicts itself.
   *
   * @param problems the problems, in the order of the document; at least one
   */
  record Invalid<T>(List<Diagnostic> problems) implements DocumentReading<T> {
    /** Copies the list. */
    public Invalid {
      problems = List.copyOf(problems);
    }
  }
}
