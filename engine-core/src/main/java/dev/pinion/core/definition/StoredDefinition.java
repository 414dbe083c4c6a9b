package dev.pinion.core.definition;

import dev.pinion.core.model.DefinitionKey;

/**
 * The stored form of a definition: the deployed text, from which everything else follows.
 *
 * @param key identity
 * @param mediaType {@code application/yaml} or {@code application/json}
 * @param source the text as it was deployed
 */
public record StoredDefinition(DefinitionKey key, String mediaType, String source) {}
