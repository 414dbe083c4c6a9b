package dev.pinion.core.language.reference;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/** Opens the source of the documents of a definition that refers to some; its user closes it. */
@FunctionalInterface
public interface DocumentSources {
  /**
   * Opens a source.
   *
   * @param key identity of the definition, or null when it has no valid one
   * @param document the definition as JSON
   */
  DocumentSource open(@Nullable DefinitionKey key, Payload document);
}
