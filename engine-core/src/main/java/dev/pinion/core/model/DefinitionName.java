package dev.pinion.core.model;

import java.util.Comparator;

/**
 * Name of a definition, whatever its version.
 *
 * @param namespace namespace of the document
 * @param name name of the document
 */
public record DefinitionName(String namespace, String name) implements Comparable<DefinitionName> {
  private static final Comparator<DefinitionName> ORDER =
      Comparator.comparing(DefinitionName::namespace).thenComparing(DefinitionName::name);

  /** The name that a version belongs to. */
  public static DefinitionName of(DefinitionKey key) {
    return new DefinitionName(key.namespace(), key.name());
  }

  /** The partition of everything that exists once for this name, in every replica. */
  public int partition() {
    int hash = 31 * namespace.hashCode() + name.hashCode(); // both specified by the platform
    hash = (hash ^ (hash >>> 16)) * 0x7feb352d; // spreads similar names
    hash = (hash ^ (hash >>> 15)) * 0x846ca68b;
    return (hash ^ (hash >>> 16)) & (InstanceId.MAX_PARTITIONS - 1);
  }

  @Override
  public int compareTo(DefinitionName other) {
    return ORDER.compare(this, other);
  }

  /** {@code namespace/name}. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
