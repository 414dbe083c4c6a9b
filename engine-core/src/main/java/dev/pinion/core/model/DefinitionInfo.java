package dev.pinion.core.model;

/**
 * A deployed definition as clients see it.
 *
 * @param key identity
 * @param sha256 hash, in lower-case hexadecimal, of the document as compact JSON in document order
 * @param mediaType {@code application/yaml} or {@code application/json}: the form it was deployed
 *     in
 * @param source the text as it was deployed
 * @param document the document as JSON
 * @param chains the chains of handlers that it names
 */
public record DefinitionInfo(
    DefinitionKey key,
    String sha256,
    String mediaType,
    String source,
    Payload document,
    NamedChains chains) {}
