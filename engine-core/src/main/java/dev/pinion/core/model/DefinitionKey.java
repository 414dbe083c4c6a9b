package dev.pinion.core.model;

import java.util.Comparator;

/**
 * Identity of a definition.
 *
 * @param namespace namespace of the document
 * @param name name of the document
 * @param version semantic version of the document
 */
public record DefinitionKey(String namespace, String name, String version) {
  /**
   * Order by namespace, name and precedence of versions; an invalid version comes before all
   * others.
   */
  public static final Comparator<DefinitionKey> ORDER =
      Comparator.comparing(DefinitionKey::namespace)
          .thenComparing(DefinitionKey::name)
          .thenComparing(
              key -> SemanticVersion.parse(key.version()),
              Comparator.nullsFirst(Comparator.naturalOrder()));

  /** {@code namespace/name/version}. */
  @Override
  public String toString() {
    return namespace + "/" + name + "/" + version;
  }
}
