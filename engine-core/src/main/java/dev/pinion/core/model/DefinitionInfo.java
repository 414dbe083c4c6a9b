package dev.pinion.core.model;

import java.util.Arrays;

/**
 * A deployed definition as clients see it. The bytes are shared: read them, never write to them.
 *
 * @param key identity
 * @param sha256 hash, in lower-case hexadecimal, of the document's canonical form (compact JSON in
 *     document order)
 * @param mediaType {@code application/yaml} or {@code application/json}: the form it was deployed
 *     in
 * @param source the document as it was deployed
 * @param document the document as JSON
 */
public record DefinitionInfo(
    DefinitionKey key, String sha256, String mediaType, byte[] source, Payload document) {
  @Override
  public boolean equals(Object other) {
    return other instanceof DefinitionInfo info
        && key.equals(info.key)
        && sha256.equals(info.sha256)
        && mediaType.equals(info.mediaType)
        && Arrays.equals(source, info.source);
  }

  @Override
  public int hashCode() {
    return 31 * key.hashCode() + sha256.hashCode();
  }

  @Override
  public String toString() {
    return key + "@" + sha256;
  }
}
