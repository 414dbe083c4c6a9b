package dev.pinion.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A deployed definition as clients see it.
 *
 * @param key identity
 * @param sha256 hash, in lower-case hexadecimal, of the document as compact JSON in document order
 * @param text the text as it was deployed
 * @param document the document as JSON
 * @param chains chains of handlers that it names
 * @param orderingKey expression for the ordering key of a start, on the input as it was sent; null
 *     when the definition has none
 * @param origins scheme and authority of the services it calls by address, such as {@code
 *     http://host:8080/}, where no input can change them; each once
 * @param status whether it may be started, and since when it is deployed
 */
public record DeployedDefinition(
    DefinitionKey key,
    String sha256,
    DefinitionText text,
    Payload document,
    ChainReferences chains,
    @Nullable Expression<Payload> orderingKey,
    List<String> origins,
    DeploymentStatus status) {
  /**
   * The text of a definition.
   *
   * @param mediaType {@code application/yaml} or {@code application/json}
   * @param source the text as it was deployed
   * @param documents the documents to which it refers, as they were then
   */
  public record DefinitionText(String mediaType, String source, List<PinnedDocument> documents) {
    /** Copies the list. */
    public DefinitionText {
      documents = List.copyOf(documents);
    }

    /** A text that refers to no documents. */
    public DefinitionText(String mediaType, String source) {
      this(mediaType, source, List.of());
    }
  }

  /** Copies the list. */
  public DeployedDefinition {
    origins = List.copyOf(origins);
  }

  /** {@code application/yaml} or {@code application/json}: the form in which it was deployed. */
  public String mediaType() {
    return text.mediaType();
  }

  /** The text as it was deployed. */
  public String source() {
    return text.source();
  }

  /** The same definition, disabled or enabled. */
  public DeployedDefinition withEnabled(boolean enabled) {
    return new DeployedDefinition(
        key,
        sha256,
        text,
        document,
        chains,
        orderingKey,
        origins,
        new DeploymentStatus(enabled, status.deployedAtMillis()));
  }
}
