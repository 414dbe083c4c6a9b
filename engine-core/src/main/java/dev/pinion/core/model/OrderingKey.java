package dev.pinion.core.model;

import org.jspecify.annotations.Nullable;

/**
 * What the starts of some instances have in common, so that these start in order of arrival.
 * Immutable.
 *
 * @param namespace of the definitions that are started; the same key in two means two things
 * @param value as the client says it
 */
public record OrderingKey(String namespace, String value) {
  /** The key of a start; null when it has none. */
  public static @Nullable OrderingKey of(DefinitionKey definition, Tags tags) {
    String value = tags.orderingKey();
    return value == null ? null : new OrderingKey(definition.namespace(), value);
  }

  /**
   * The partition that takes all starts with this key, in every replica and after every restart.
   */
  public int partition() {
    int hash = 31 * namespace.hashCode() + value.hashCode(); // both specified by the platform
    hash = (hash ^ (hash >>> 16)) * 0x7feb352d; // similar keys, as of accounts, spread out
    hash = (hash ^ (hash >>> 15)) * 0x846ca68b;
    return (hash ^ (hash >>> 16)) & (InstanceId.MAX_PARTITIONS - 1);
  }
}
