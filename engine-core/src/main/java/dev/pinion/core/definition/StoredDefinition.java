package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.PinnedDocument;
import java.util.List;

/**
 * The stored form of a definition: the deployed text and the documents to which it refers, from
 * which everything else follows.
 *
 * @param key identity
 * @param mediaType {@code application/yaml} or {@code application/json}
 * @param source the text as it was deployed
 * @param deployedAtMillis time of its deployment, in milliseconds since the epoch; 0 when it is not
 *     known
 * @param documents the documents to which it refers, as they were then
 */
public record StoredDefinition(
    DefinitionKey key,
    String mediaType,
    String source,
    long deployedAtMillis,
    List<PinnedDocument> documents) {
  /** Copies the list. */
  public StoredDefinition {
    documents = List.copyOf(documents);
  }

  /** A definition that refers to no documents, and whose time of deployment is not known. */
  public StoredDefinition(DefinitionKey key, String mediaType, String source) {
    this(key, mediaType, source, 0, List.of());
  }
}
