package dev.pinion.core.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a client calls an instance, to find it again. Means nothing to the engine, but for the
 * labels {@value #SERVICE_CLASS} and {@value #ORDERING_KEY}.
 *
 * @param businessKey what the instance is about, or null
 * @param labels values by name
 */
public record Tags(@Nullable String businessKey, SortedMap<String, String> labels) {
  /** Nothing. */
  public static final Tags NONE = new Tags(null, Map.of());

  /** The label that names the service class of an instance. */
  public static final String SERVICE_CLASS = "pinion.class";

  /** The label that keeps the ordering key of an instance. */
  public static final String ORDERING_KEY = "pinion.orderingKey";

  /** The object with its empty map. */
  private static final int FIXED_BYTES = 104;

  /** An entry of the map. */
  private static final int BYTES_OF_LABEL = 40;

  /** Copies the labels. */
  public Tags {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** Tags with labels in any order. */
  public Tags(@Nullable String businessKey, Map<String, String> labels) {
    this(businessKey, (SortedMap<String, String>) new TreeMap<>(labels));
  }

  /** What the instance's start has in common with those that it starts in order with, or null. */
  public @Nullable String orderingKey() {
    return labels.isEmpty() ? null : labels.get(ORDERING_KEY);
  }

  /** The service class that the client has named for the instance, or null. */
  public @Nullable String serviceClass() {
    return labels.isEmpty() ? null : labels.get(SERVICE_CLASS);
  }

  /** These with a label more, or another value of it. */
  public Tags with(String label, String value) {
    SortedMap<String, String> more = new TreeMap<>(labels);
    more.put(label, value);
    return new Tags(businessKey, more);
  }

  /** About how many bytes they take of the heap; 0 when there are none. */
  public long heapBytes() {
    if (isEmpty()) {
      return 0;
    }
    long bytes = FIXED_BYTES + (businessKey == null ? 0 : HeapCost.text(businessKey.length()));
    for (Map.Entry<String, String> label : labels.entrySet()) {
      bytes +=
          BYTES_OF_LABEL
              + HeapCost.text(label.getKey().length())
              + HeapCost.text(label.getValue().length());
    }
    return bytes;
  }

  /** Whether there is nothing. */
  public boolean isEmpty() {
    return businessKey == null && labels.isEmpty();
  }
}
