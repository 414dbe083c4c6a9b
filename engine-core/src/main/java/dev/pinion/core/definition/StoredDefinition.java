package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;

/**
 * The stored form of a definition: the deployed text, from which everything else follows.
 *
 * @param key identity
 * @param mediaType {@code application/yaml} or {@code application/json}
 * @param source the text as it was deployed
 * @param deployedAtMillis time of its deployment, in milliseconds since the epoch; 0 when it is not
 *     known
 */
public record StoredDefinition(
    DefinitionKey key, String mediaType, String source, long deployedAtMillis) {
  /** A definition whose time of deployment is not known. */
  public StoredDefinition(DefinitionKey key, String mediaType, String source) {
    this(key, mediaType, source, 0);
  }
}
