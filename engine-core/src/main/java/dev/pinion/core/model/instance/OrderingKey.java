package dev.pinion.core.model.instance;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import org.jspecify.annotations.Nullable;

/**
 * Common key of starts that must begin in order of arrival. Immutable.
 *
 * @param namespace namespace of the definitions; the same value in two namespaces is two keys
 * @param value value given by the client
 */
public record OrderingKey(String namespace, String value) {
  /** The key of a start; null when it has none. */
  public static @Nullable OrderingKey of(DefinitionKey definition, Tags tags) {
    String value = tags.orderingKey();
    return value == null ? null : new OrderingKey(definition.namespace(), value);
  }

  /** The partition for all starts with this key, in every replica and after every restart. */
  public int partition() {
    int hash = 31 * namespace.hashCode() + value.hashCode(); // both specified by the platform
    hash = (hash ^ (hash >>> 16)) * 0x7feb352d; // spreads similar keys, as of accounts
    hash = (hash ^ (hash >>> 15)) * 0x846ca68b;
    return (hash ^ (hash >>> 16)) & (InstanceId.MAX_PARTITIONS - 1);
  }
}
