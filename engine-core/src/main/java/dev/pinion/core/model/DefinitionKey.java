package dev.pinion.core.model;

/**
 * Identifies a definition.
 *
 * @param namespace namespace of the document
 * @param name name of the document
 * @param version semantic version of the document
 */
public record DefinitionKey(String namespace, String name, String version) {
  /** {@code namespace/name/version}. */
  @Override
  public String toString() {
    return namespace + "/" + name + "/" + version;
  }
}
